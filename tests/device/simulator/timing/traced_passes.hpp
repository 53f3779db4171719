// Passes of real variants under a tracer, for the tests of what it records of them.
#pragma once

#include "common/device/flavour/tracer.hpp"
#include "common/measure/gpu/runtime/handles.hpp"
#include "common/model/variant/variant.hpp"
#include "tests/variants/can_run.hpp"
#include "tests/variants/shapes.hpp"

namespace trilane::simulator {

/// A variant on a restarted device, with or without a tracer.
struct TracedVariant {
  TracedVariant(const VariantEntry& entry, const Workload& workload, bool traced)
      : in((start_simulation({}), make_pinned_buffer(layout_of(workload).in_bytes))),
        out(make_pinned_buffer(layout_of(workload).out_bytes)),
        job(workload, in.get(), out.get()),
        tracer(traced ? start_tracing() : nullptr),
        variant(entry.make(job)) {}

  /// Runs one pass between two events, until the host has waited. Returns its time by the events.
  float pass_ms() {
    const TimedOnly timed_only;
    check(cudaEventRecord(first.get(), origin.get()));
    variant->submit(origin.get());
    check(cudaEventRecord(last.get(), origin.get()));
    check(cudaStreamSynchronize(origin.get()));
    float ms = 0;
    check(cudaEventElapsedTime(&ms, first.get(), last.get()));
    return ms;
  }

  PinnedBuffer in, out;
  Job job;
  std::unique_ptr<Tracer> tracer;  ///< null: without one
  Stream origin = make_stream();
  Event first = make_timing_event(), last = make_timing_event();
  std::unique_ptr<Variant> variant;
};

/// Calls `body` with every variant on every preset and awkward shape.
inline void for_all(const std::function<void(const VariantEntry&, const Workload&)>& body) {
  BOOST_TEST_REQUIRE(registry().size() >= 19u);
  std::vector<Workload> workloads = presets();
  std::ranges::copy(awkward_shapes(), std::back_inserter(workloads));
  for (const VariantEntry& entry : registry()) {
    for (const Workload& workload : workloads) {
      BOOST_TEST_CONTEXT(entry.name << ", " << workload.name) {
        if (can_run(entry, workload)) body(entry, workload);
      }
    }
  }
}

/// The records of one pass, and its time by the events around it.
struct TracedPass {
  const VariantEntry& entry;
  const Workload& workload;
  float ms;
  TraceRecords records;
};

/// Calls `body` with the second pass of each: in the first one a variant may do one-time work.
inline void for_all_passes(const std::function<void(const TracedPass&)>& body) {
  for_all([&](const VariantEntry& entry, const Workload& workload) {
    TracedVariant variant(entry, workload, true);
    variant.pass_ms();
    variant.tracer->take();
    const float ms = variant.pass_ms();
    body({entry, workload, ms, variant.tracer->take()});
  });
}

}  // namespace trilane::simulator
