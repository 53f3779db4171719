// Passes of real variants under a tracer, for the tests of what it sees of them.
#pragma once

#include <functional>
#include <memory>

#include "common/device/flavour/tracer.hpp"
#include "common/measure/gpu/runtime/handles.hpp"
#include "common/model/variant/variant.hpp"

namespace trilane::simulator {

/// A variant on a device that was started over, under a tracer or without one.
struct TracedVariant {
  TracedVariant(const VariantEntry& entry, const Workload& workload, bool traced);

  /// One pass between two events, until the host has waited. Returns what the events say it took.
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

/// The records of one pass, and what the events around it say that it took.
struct TracedPass {
  const VariantEntry& entry;
  const Workload& workload;
  float ms;
  TraceRecords records;
};

/// Calls `body` with the second pass of each: in the first one a variant may do what only the first
/// does.
void for_all_passes(const std::function<void(const TracedPass&)>& body);

}  // namespace trilane::simulator
