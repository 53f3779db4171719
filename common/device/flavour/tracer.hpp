// The seam for traces of the device's activity. Defined in cuda/cupti_tracer.cpp and, for the
// simulated device, in simulator/runtime/simulated_tracer.cpp.
#pragma once

#include <boost/core/noncopyable.hpp>
#include <memory>

#include "common/device/flavour/records.hpp"

namespace trilane {

/// Records the activity of host and device while it lives. Only one may live at a time. It sees the
/// nodes of a graph only if the graph is created during its life.
class Tracer : boost::noncopyable {
 public:
  virtual ~Tracer() = default;

  /// Returns the time on the clock of the records, in microseconds.
  virtual double now_us() = 0;

  /// Returns the records since the last call, in no particular order. The device must be idle.
  virtual TraceRecords take() = 0;
};

/// Throws NotPossible with the reason if tracing is not possible.
std::unique_ptr<Tracer> start_tracing();

/// Throws the same if tracing is already known to be impossible.
void ensure_tracing();

}  // namespace trilane
