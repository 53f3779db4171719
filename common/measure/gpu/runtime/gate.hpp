// A gate: holds a stream back until it is opened, so that work is queued before any of it runs.
#pragma once

#include <driver_types.h>

#include <boost/core/noncopyable.hpp>
#include <memory>

namespace trilane {

/// A stream accepts about 1,000 operations behind a closed gate; at the next one the host blocks
/// and cannot open the gate. With CUDA_LAUNCH_BLOCKING=1 and under some sanitizers it blocks at
/// every launch. A gate therefore opens automatically after `patience_s`.
class Gate : boost::noncopyable {
 public:
  explicit Gate(double patience_s);
  ~Gate();

  /// Makes later work on `stream` wait until the gate opens. May be called once.
  void close(cudaStream_t stream);

  /// Lets the work run. Returns false if the gate had already timed out.
  bool open();

 private:
  struct State;
  std::shared_ptr<State> state_;  // shared with the waiting function, which may outlive the gate
};

}  // namespace trilane
