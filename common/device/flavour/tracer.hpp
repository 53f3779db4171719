// The seam for traces: what the device did, and when. Defined in cuda/cupti_tracer.cpp and, for the
// simulated device, in simulator/seam/simulated_tracer.cpp.
#pragma once

#include <boost/core/noncopyable.hpp>
#include <memory>

#include "common/device/flavour/records.hpp"

namespace trilane {

/// Records what host and device do while it lives. Only one may live at a time. It sees the nodes
/// of a graph only if the graph is made while it lives.
class Tracer : boost::noncopyable {
 public:
  virtual ~Tracer() = default;

  /// The time on the clock of the records, in microseconds.
  virtual double now_us() = 0;

  /// The records since the last call, in no particular order. The device must be idle.
  virtual TraceRecords take() = 0;
};

/// Throws NotPossible with the reason if tracing is not possible.
std::unique_ptr<Tracer> start_tracing();

/// Throws the same if tracing is known not to be possible before it starts.
void ensure_tracing();

}  // namespace trilane
