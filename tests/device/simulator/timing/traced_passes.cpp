#include "tests/device/simulator/timing/traced_passes.hpp"

#include "tests/variants/can_run.hpp"
#include "tests/variants/shapes.hpp"

namespace trilane::simulator {

TracedVariant::TracedVariant(const VariantEntry& entry, const Workload& workload, bool traced)
    : in((start_simulation({}), make_pinned_buffer(layout_of(workload).in_bytes))),
      out(make_pinned_buffer(layout_of(workload).out_bytes)),
      job(workload, in.get(), out.get()),
      tracer(traced ? start_tracing() : nullptr),
      variant(entry.make(job)) {}

float TracedVariant::pass_ms() {
  const TimedOnly timed_only;
  check(cudaEventRecord(first.get(), origin.get()));
  variant->submit(origin.get());
  check(cudaEventRecord(last.get(), origin.get()));
  check(cudaStreamSynchronize(origin.get()));
  float ms = 0;
  check(cudaEventElapsedTime(&ms, first.get(), last.get()));
  return ms;
}

void for_all(const std::function<void(const VariantEntry&, const Workload&)>& body) {
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

void for_all_passes(const std::function<void(const TracedPass&)>& body) {
  for_all([&](const VariantEntry& entry, const Workload& workload) {
    TracedVariant variant(entry, workload, true);
    variant.pass_ms();
    variant.tracer->take();
    const float ms = variant.pass_ms();
    body({entry, workload, ms, variant.tracer->take()});
  });
}

}  // namespace trilane::simulator
