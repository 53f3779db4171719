// One comparison: one workload under all chosen variants, on the GPU.
#pragma once

#include "common/gpu/runtime/device.hpp"
#include "common/harness/comparison_settings.hpp"
#include "common/harness/rounds/harness.hpp"
#include "common/results/results.hpp"

namespace trilane {

/// The workload with the rounds that make its kernels take that time, if it is above 0. Throws
/// NotPossible where none can be found.
Workload with_kernel_time(const Workload& workload, double kernel_us);

/// A comparison of `workload` before it runs: every chosen variant with its plan, variants that
/// the device does not support marked so, and the passes per sample for the mode.
Comparison planned_comparison(const Workload& workload, const ComparisonSettings& settings,
                              const Device& device);

/// Marks every variant that can run as ok: run_comparison() runs those.
void make_ready(Comparison& comparison);

/// Measures one workload. CUDA errors of variants become results; errors outside of variants are
/// thrown (CudaError, and NotPossible when memory runs out).
Comparison compare_variants(const Workload& workload, const ComparisonSettings& settings,
                            const Device& device, const HarnessListener& listener);

}  // namespace trilane
