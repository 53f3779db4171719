// Passes of real variants under a tracer, for the tests of what it records of them.
#pragma once

#include "common/device/flavour/tracer.hpp"
#include "common/measure/gpu/runtime/handles.hpp"
#include "common/model/variant/variant.hpp"
#include "tests/framework.hpp"

namespace trilane::simulator {

/// A variant on a restarted device, with or without a tracer.
struct TracedVariant {
  TracedVariant(const VariantEntry& entry, const Workload& workload, bool traced);

  /// Runs one pass between two events, until the host has waited. Returns its time by the events.
  float pass_ms();

  PinnedBuffer in, out;
  Job job;
  std::unique_ptr<Tracer> tracer;  ///< null: without one
  Stream origin = make_stream();
  Event first = make_timing_event(), last = make_timing_event();
  std::unique_ptr<Variant> variant;
};

/// Calls `body` with every variant on every preset and awkward shape.
void for_all(const std::function<void(const VariantEntry&, const Workload&)>& body);

/// The records of one pass, and its time by the events around it.
struct TracedPass {
  const VariantEntry& entry;
  const Workload& workload;
  float ms;
  TraceRecords records;
};

/// Calls `body` with the second pass of each: in the first one a variant may do one-time work.
void for_all_passes(const std::function<void(const TracedPass&)>& body);

}  // namespace trilane::simulator
