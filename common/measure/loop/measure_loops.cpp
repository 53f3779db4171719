#include "common/measure/loop/measure_loops.hpp"

#include "common/measure/gpu/runtime/check.hpp"
#include "common/measure/harness/pricing/probe.hpp"

namespace trilane {
namespace {

/// Finds the kernel's rounds. One item of each lane occupies buffers only during this.
std::uint32_t rounds_of(const Loop& loop) {
  const Workload workload = workload_of(loop);
  const PinnedBuffer in = make_pinned_buffer(workload.bytes);
  const PinnedBuffer out = make_pinned_buffer(workload.result_total());
  return rounds_for(Job(workload, in.get(), out.get()), loop.kernel_us);
}

std::vector<LoopMeasurement> none_run(const LoopSettings& settings, const std::string& reason) {
  std::vector<LoopMeasurement> all;
  for (const TellerEntry& teller : settings.tellers) {
    for (const Resubmission resubmission : settings.resubmissions) {
      all.push_back({.teller = teller.name,
                     .resubmission = resubmission,
                     .status = LoopStatus::not_run,
                     .reason = reason,
                     .turns = {}});
    }
  }
  return all;
}

}  // namespace

LoopComparison measure_loops(Loop loop, const LoopSettings& settings) {
  try {
    loop.rounds = rounds_of(loop);
  } catch (const CudaError& error) {
    return {loop, none_run(settings, error.what())};
  }
  return {loop, LoopRounds(loop, settings).run()};
}

}  // namespace trilane
