// Compares all chosen variants on one workload, on the GPU.
#pragma once

#include <string>

#include "common/measure/gpu/runtime/device.hpp"
#include "common/measure/harness/bench/cuda_bench.hpp"
#include "common/measure/harness/comparison_settings.hpp"
#include "common/measure/harness/run_part.hpp"
#include "common/measure/rounds/harness.hpp"
#include "common/model/results/results.hpp"

namespace trilane {

/// The workload with rounds for kernels of `kernel_us`; unchanged if that is 0. Throws NotPossible
/// if no number of rounds fits.
Workload with_kernel_time(const Workload& workload, double kernel_us);

/// The comparison before it runs: every variant's plan, the passes per sample, and the status
/// not_supported for variants that the device cannot run.
Comparison planned_comparison(const Workload& workload, const ComparisonSettings& settings,
                              const Device& device);

/// Why no kernel does the stages of this model together; empty if one does, or none must.
std::string why_not_fused(const Model& model, const Workload& workload);

/// Why no kernel of this model starts early on the device; empty if one does, or none must. One of
/// Trilane's own kernels a chunk has none in front of it, which is no reason: it runs as in
/// `graph`.
std::string why_not_early(const Model& model, const Workload& workload, const Device& device);

/// Marks every variant that can run as ok, so that run_comparison() runs it.
void make_ready(Comparison& comparison);

/// The comparison that a workload asks for, with rounds for its kernels' time, planned and ready.
/// Throws what with_kernel_time() does.
Comparison ready_comparison(const Workload& workload, const ComparisonSettings& settings,
                            const Device& device, const HarnessListener& listener);

/// Measures what is measured behind the passes: the limit, if that part of the run does, and the
/// variants' set-ups.
void add_costs(Comparison& comparison, CudaBench& bench, const ComparisonSettings& settings,
               RunPart part, const HarnessListener& listener);

/// Measures one workload in this process. CUDA errors of variants become results. Throws CudaError
/// for errors outside variants, and NotPossible if memory runs out.
Comparison compare_variants(const Workload& workload, const ComparisonSettings& settings,
                            const Device& device, const HarnessListener& listener);

}  // namespace trilane
