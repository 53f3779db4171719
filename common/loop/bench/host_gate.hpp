// A gate in a stream that the host opens by writing a word: within a microsecond or two.
#pragma once

#include <boost/core/noncopyable.hpp>
#include <cstdint>

#include "common/gpu/runtime/handles.hpp"
#include "common/loop/telling/stream_values.hpp"

namespace trilane {

/// Unlike Gate, whose host function takes tens of microseconds to wake. May be closed again and
/// again, after it was opened.
class HostGate : boost::noncopyable {
 public:
  /// Throws CudaError.
  HostGate();
  ~HostGate() { open(); }

  /// Whether the driver has the operation. Otherwise close() does nothing.
  bool works() const { return wait_ != nullptr; }

  /// Makes later work on `stream` wait until the gate opens. Throws CudaError.
  void close(cudaStream_t stream);

  /// Lets the work run.
  void open();

 private:
  PinnedBuffer memory_;
  WaitValue wait_ = wait_value_function();
  std::uint32_t closed_ = 0;  // how often
};

}  // namespace trilane
