// The seam for traces: what the device did, and when. Defined in
// common/device/cuda/cupti_tracer.cpp; and, of the simulated device, in
// common/device/simulator/simulated_tracer.cpp.
#pragma once

#include <memory>

#include "common/device/records.hpp"

namespace trilane {

/// Records what host and device do while it lives; one lives at a time. Graphs that are to be seen
/// node by node must be made while it does.
class Tracer {
 public:
  Tracer() = default;
  Tracer(const Tracer&) = delete;
  Tracer& operator=(const Tracer&) = delete;
  virtual ~Tracer() = default;

  /// The clock of all records, in microseconds.
  virtual double now_us() = 0;

  /// What was recorded since it was last asked, in no order. The device must be idle.
  virtual TraceRecords take() = 0;
};

/// Throws NotPossible with the reason where nothing can be traced.
std::unique_ptr<Tracer> start_tracing();

/// Throws the same as far as that is known before anything is traced.
void ensure_tracing();

}  // namespace trilane
