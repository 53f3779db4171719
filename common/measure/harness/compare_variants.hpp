// Compares all chosen variants on one workload, on the GPU.
#pragma once

#include "common/measure/harness/comparison_settings.hpp"
#include "common/measure/harness/cuda_bench.hpp"
#include "common/measure/rounds/harness.hpp"

namespace trilane {

/// Returns the workload with rounds for kernels of `kernel_us`; unchanged if that is 0. Throws
/// NotPossible if no number of rounds fits.
Workload with_kernel_time(const Workload& workload, double kernel_us);

/// Returns the comparison before it runs: every variant's plan, the passes per sample, and the
/// status not_supported for variants that the device cannot run.
Comparison planned_comparison(const Workload& workload, const ComparisonSettings& settings,
                              const Device& device);

/// Returns the reason why no kernel fuses this model's stages; empty if one does, or if none is
/// needed.
std::string why_not_fused(const Model& model, const Workload& workload);

/// Returns the reason why no kernel of this model starts early on the device; empty if one does, or
/// if none is needed. With one of Trilane's own kernels per chunk there is no preceding kernel.
/// That is no reason: the variant runs as in `graph`.
std::string why_not_early(const Model& model, const Workload& workload, const Device& device);

/// Marks every variant that can run as ok, so that run_comparison() runs it.
void make_ready(Comparison& comparison);

/// Returns the comparison for a workload, planned and ready, with rounds for its kernels' time.
/// Throws the errors of with_kernel_time().
Comparison ready_comparison(const Workload& workload, const ComparisonSettings& settings,
                            const Device& device, const HarnessListener& listener);

/// The part that a process measures of a run.
struct RunPart {
  bool limit;                   ///< which is the machine's, so one process measures it
  std::uint32_t fewest_prices;  ///< set-ups of each variant; its interval spans the processes
};

/// Returns the part of process number `process`, from 0, in a run of `of` processes.
RunPart part_of_run(std::uint32_t process, std::uint32_t of);

/// Measures what follows the passes: the limit, if this part of the run measures it, and the
/// variants' set-ups.
void add_costs(Comparison& comparison, CudaBench& bench, const ComparisonSettings& settings,
               RunPart part, const HarnessListener& listener);

/// Measures one workload in this process. CUDA errors of variants become results. Throws CudaError
/// for errors outside variants, and NotPossible if memory runs out.
Comparison compare_variants(const Workload& workload, const ComparisonSettings& settings,
                            const Device& device, const HarnessListener& listener);

}  // namespace trilane
