// One comparison: one workload under all chosen variants, on the GPU.
#pragma once

#include <span>
#include <string>

#include "common/gpu/runtime/device.hpp"
#include "common/harness/comparison_settings.hpp"
#include "common/harness/rounds/harness.hpp"
#include "common/results/results.hpp"
#include "common/workload/reference.hpp"

namespace trilane {

/// What buffers of that kind take: "host memory", and whether most of it is pinned.
std::string host_memory_text(HostMemory kind);

/// Throws NotPossible, naming the figures and the way out, unless host and device have the memory
/// that every workload takes with all chosen variants at once. Run before the first workload.
void ensure_memory(std::span<const Workload> workloads, const ComparisonSettings& settings,
                   const Device& device);

/// The same for one workload, without its CPU reference.
void ensure_memory(const Workload& workload, const ComparisonSettings& settings,
                   const Device& device);

/// Throws NotPossible when the CPU reference of the workload, with an alphabet of so many
/// `letters`, would take minutes.
void ensure_reference(const Workload& workload, std::size_t letters = Reference::alphabet_size);

/// The workload with the rounds that make its kernels take that time, if it is above 0. Throws
/// NotPossible where none can be found.
Workload with_kernel_time(const Workload& workload, double kernel_us);

/// What a comparison of `workload` starts from: every chosen variant with its plan, those that
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
