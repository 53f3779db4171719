// Compares all chosen variants on one workload, on the GPU.
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "common/gpu/runtime/device.hpp"
#include "common/harness/bench/host_buffers.hpp"
#include "common/harness/comparison_settings.hpp"
#include "common/harness/rounds/harness.hpp"
#include "common/harness/run_part.hpp"
#include "common/results/results.hpp"

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

/// How variants are measured in processes of their own.
struct Apart {
  const SharedHost& host;  ///< large enough for the workload
  /// A bench of the variants' processes for the workload with rounds that were found.
  std::function<std::unique_ptr<Bench>(const Workload& found, std::function<void()> draw_input)>
      open;
  RunPart part = RunPart::whole;
};

/// Measures one workload: in this process, or `apart`, if that is not null; this process then
/// measures only the limit and set-ups. CUDA errors of variants become results. Throws CudaError
/// for errors outside variants, and NotPossible if memory runs out.
Comparison compare_variants(const Workload& workload, const ComparisonSettings& settings,
                            const Device& device, const HarnessListener& listener,
                            const Apart* apart = nullptr);

}  // namespace trilane
