#include "common/measure/harness/compare_variants.hpp"

#include <cuda_runtime_api.h>

#include "common/base/text/exit_code.hpp"
#include "common/base/text/size.hpp"
#include "common/device/flavour/flavour.hpp"
#include "common/explain/analysis/verdict/derive.hpp"
#include "common/measure/harness/pricing.hpp"
#include "common/measure/harness/probe.hpp"
#include "common/measure/rounds/contest.hpp"

namespace trilane {
namespace {

/// Returns the passes queued before the host waits: at most 32, and at most 500 operations on a
/// stream, because the host blocks at about 1,000.
std::uint32_t passes_per_batch(const Workload& workload) {
  const std::uint64_t lanes = workload.used_lanes();
  const std::uint64_t chunks_per_lane = (workload.chunks() + lanes - 1) / lanes;
  const std::uint64_t allocations = 2, fork_and_join = 2;
  const std::uint64_t on_lane =
      chunks_per_lane * (workload.stages().total() + allocations) + fork_and_join;
  const std::uint64_t operations = std::max(on_lane, 1 + lanes);
  return static_cast<std::uint32_t>(std::clamp<std::uint64_t>(500 / operations, 1, 32));
}

/// The time for set-ups, as a share of the time for rounds.
constexpr double pricing_share = 0.15;

/// For hundreds of comparisons in a row, between which the GPU is hardly idle.
constexpr double short_warm_up_us = 10'000;

void measure_limit(Comparison& comparison, const CudaBench& bench,
                   const HarnessListener& listener) try {
  if (comparison.workload.host_memory == HostMemory::pageable) {
    comparison.regime =
        "not judged: copies of pageable memory block the host, so the limit cannot be measured";
    return;
  }
  listener.phase("measuring the limit");
  comparison.limit = probe_limit(bench.job());
} catch (const LaunchesBlock& reason) {  // affects only the limit
  comparison.regime = fmt::format("not judged, because {}", reason.what());
}

/// Rates drift within a run, so the limit takes the faster figures of two probes. Then probes
/// chunks of another size. If the second probe fails, the limit stays that of the first.
void sharpen(Comparison& comparison, CudaBench& bench) try {
  Limit& limit = *comparison.limit;
  const Job& job = bench.job();
  limit = fastest(limit, probe_limit(job), job.workload);
  probe_best_cut(limit, job);
} catch (const std::exception&) {
  // The failed probe may have left the device unusable, which is not a variant's failure.
  cudaDeviceSynchronize();
  if (bench.lost()) comparison.stopped = "lost";
}

/// Measures the limit after the rounds, so that a failure does not lose their measurements.
void add_limit(Comparison& comparison, CudaBench& bench, const HarnessListener& listener) try {
  if (comparison.stopped == "lost") return;
  measure_limit(comparison, bench, listener);
  if (comparison.limit) sharpen(comparison, bench);
} catch (const std::exception& error) {
  comparison.regime = fmt::format("not judged: {}", error.what());
  cudaDeviceSynchronize();
  if (bench.lost()) comparison.stopped = "lost";
}

/// Returns the reason why the variant cannot run here; empty if it can.
std::string why_not(const Plan& plan, const Workload& workload, const Device& device) {
  if (plan.needs_pools && !device.memory_pools) {
    return device.name + " has no memory pools (cudaDevAttrMemoryPoolsSupported)";
  }
  if (plan.maps_host && workload.host_memory == HostMemory::pageable) {
    return "its kernels read and write host memory, which pageable memory does not allow";
  }
  const bool unknown_batch = plan.model.mover == Mover::engines_batched &&
                             workload.host_memory == HostMemory::pageable &&
                             profile_in_use() != nullptr;
  if (unknown_batch) return "its profile does not give the cost of batches of pageable memory";
  const std::string not_early = why_not_early(plan.model, workload, device);
  return not_early.empty() ? why_not_fused(plan.model, workload) : not_early;
}

/// Measures the costs of the variants besides their passes.
void price(PricedBench& bench, Comparison& comparison, const ComparisonSettings& settings,
           const HarnessListener& listener, std::uint32_t fewest) {
  const PricingSettings pricing{.seconds = settings.seconds * pricing_share, .fewest = fewest};
  if (!comparison.measurements.empty() && comparison.stopped != "lost") {
    price_variants(bench, comparison, pricing, listener);
  }
  if (!settings.prove_break_even) return;
  derive(comparison, simulated_profile());  // the proof needs the predicted break-even
  listener.phase("proving break-even");
  prove_break_even(bench, comparison, {.pricing = pricing}, listener);
}

void announce_memory(const Workload& workload, const HarnessListener& listener) {
  const BufferSizes sizes = sizes_for(workload);
  const std::uint64_t host_bytes = sizes.in + 2 * sizes.out;
  listener.phase(announced(fmt::format("filling {} of host memory", format_bytes(host_bytes)),
                           host_memory_seconds(host_bytes)));
}

/// Runs rounds of checked and timed passes, then set-ups, all in this process.
void measure(Comparison& comparison, const ComparisonSettings& settings,
             const HarnessListener& listener) {
  const Workload& workload = comparison.workload;
  ensure_reference(workload);
  announce_memory(workload, listener);
  SlowedBench bench(workload, contenders(settings), settings.seed, settings.slow_down);
  HarnessSettings rounds{.seconds = settings.seconds, .renewing_share = settings.renewing_share};
  rounds.judge = Contest(settings.precision, rounds.min_rounds);
  if (settings.only_intervals) rounds.warm_up_us = short_warm_up_us;
  run_comparison(bench, comparison, rounds, listener);
  if (!settings.only_intervals) {
    add_costs(comparison, bench, settings, part_of_run(0, 1), listener);
  }
}

/// Runs one pass of each variant in virtual time, without data.
void predict(Comparison& comparison, const ComparisonSettings& settings,
             const HarnessListener& listener) {
  const TimedOnly without_data;
  const Workload& workload = comparison.workload;
  CudaBench bench(workload, contenders(settings), settings.seed,
                  std::make_shared<HostBuffers>(sizes_for(workload), workload.host_memory));
  measure_limit(comparison, bench, listener);
  if (comparison.limit) probe_best_cut(*comparison.limit, bench.job());
  predict_comparison(bench, comparison, listener);
}

/// Returns the reference. With several pool policies, a reference that depends on them runs under
/// the first.
std::string reference_of(const ComparisonSettings& settings) {
  const std::string& name = settings.reference;
  if (name.empty() || settings.policies.empty() || !depends_on_policy(find_variant(name))) {
    return name;
  }
  return fmt::format("{}:{}", name, settings.policies.front().name);
}

}  // namespace

std::string why_not_fused(const Model& model, const Workload& workload) {
  switch (model.mover) {
    case Mover::engines_per_chunk:
    case Mover::engines_per_pass:
    case Mover::engines_batched:
    case Mover::kernels: return {};
    case Mover::fused_per_chunk:
      if (!workload.pipeline) return {};
      if (!workload.pipeline->fused) {
        return "the pipeline file names no \"fused\" kernel that does a whole chunk";
      }
      if (profile_in_use() == nullptr || workload.pipeline->fused->time_us > 0) return {};
      return "the time of its fused kernel is not known: add \"time_us\" to it in the pipeline "
             "file";
    case Mover::fused_per_pass:
      if (workload.pipeline) return "a pipeline file's kernel does one chunk, not a whole pass";
      if (workload.stride) return "its kernel does a pass without gaps between chunks";
      return {};
  }
  return {};
}

std::string why_not_early(const Model& model, const Workload& workload, const Device& device) {
  switch (model.chaining) {
    case Chaining::one_stream:
    case Chaining::lanes:
    case Chaining::engines:
    case Chaining::recorded:
    case Chaining::recorded_one_wait:
    case Chaining::recorded_memory:
    case Chaining::data_edges: return {};
    case Chaining::lanes_early: break;
  }
  if (device.compute_major < 9) {
    return fmt::format("{} has compute capability {}.{}, and kernels start early only from 9.0 on",
                       device.name, device.compute_major, device.compute_minor);
  }
  const bool any = !workload.pipeline || std::ranges::count(early_places(workload), true) > 0;
  if (any) return {};
  return "no kernel directly after another one says \"early\": true in the pipeline file";
}

Workload with_kernel_time(const Workload& workload, double kernel_us) {
  if (!(kernel_us > 0)) return workload;
  Workload one_chunk = workload;
  one_chunk.bytes = one_chunk.chunk_bytes;
  std::vector<std::byte> in(one_chunk.bytes), out(one_chunk.result_total());
  Workload found = workload;
  try {
    found.rounds = rounds_for(Job(one_chunk, in.data(), out.data()), kernel_us);
  } catch (const LaunchesBlock& error) {
    throw NotPossible("--kernel-time: {}; give --rounds instead", error.what());
  }
  return found;
}

Comparison planned_comparison(const Workload& workload, const ComparisonSettings& settings,
                              const Device& device) {
  Comparison comparison;
  comparison.workload = workload;
  comparison.mode = settings.mode;
  comparison.reference = reference_of(settings);
  comparison.seed = settings.seed;
  comparison.requested_kernel_us = settings.kernel_time_us;
  if (settings.mode == Mode::throughput) comparison.batch = passes_per_batch(workload);
  comparison.wait = settings.wait;
  comparison.slow_down = settings.slow_down;
  comparison.not_modelled = left_out(workload);
  for (const VariantEntry& entry : contenders(settings)) {
    Measurement measurement;
    measurement.variant = entry.name;
    measurement.plan = entry.plan(workload);
    // The model's error is the same for a variant and itself.
    if (!settings.with_itself) measurement.prediction = prediction_of(measurement.plan.model);
    measurement.message = why_not(measurement.plan, workload, device);
    if (!measurement.message.empty()) measurement.status = Status::not_supported;
    comparison.measurements.push_back(std::move(measurement));
  }
  return comparison;
}

void make_ready(Comparison& comparison) {
  for (Measurement& measurement : comparison.measurements) {
    if (measurement.status == Status::not_run) measurement.status = Status::ok;
  }
}

Comparison ready_comparison(const Workload& asked, const ComparisonSettings& settings,
                            const Device& device, const HarnessListener& listener) {
  if (settings.kernel_time_us > 0) listener.phase("finding rounds");
  const Workload workload = with_kernel_time(asked, settings.kernel_time_us);
  Comparison comparison = planned_comparison(workload, settings, device);
  make_ready(comparison);
  return comparison;
}

void add_costs(Comparison& comparison, CudaBench& bench, const ComparisonSettings& settings,
               RunPart part, const HarnessListener& listener) {
  if (part.limit) add_limit(comparison, bench, listener);
  price(bench, comparison, settings, listener, part.fewest_prices);
}

Comparison compare_variants(const Workload& asked, const ComparisonSettings& settings,
                            const Device& device, const HarnessListener& listener) {
  Comparison comparison = ready_comparison(asked, settings, device, listener);
  switch (settings.effort) {
    case Effort::measure: measure(comparison, settings, listener); break;
    case Effort::predict: predict(comparison, settings, listener); break;
  }
  const Profile* const profile = profile_in_use();
  if (profile && profile->error) refine_predictions(comparison, *profile->error);
  derive(comparison, simulated_profile());
  return comparison;
}

RunPart part_of_run(std::uint32_t process, std::uint32_t of) {
  if (of == 1) return {.limit = true, .fewest_prices = PricingSettings{}.fewest};
  const bool is_first = process == 0;
  return {.limit = is_first, .fewest_prices = is_first ? 2u : 1u};
}

}  // namespace trilane
