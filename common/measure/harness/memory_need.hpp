// Checks that comparisons can run here: the memory that they need, the memory of host and device,
// and the limits of a simulated device.
#pragma once

#include "common/measure/gpu/runtime/device.hpp"
#include "common/measure/harness/comparison_settings.hpp"
#include "common/model/workload/reference.hpp"

namespace trilane {

/// Returns the kind of buffers in words: "host memory", and whether most of it is pinned.
std::string host_memory_text(HostMemory kind);

/// Throws NotPossible, with the figures and the remedy, unless:
/// - host and device have the memory that every workload needs with all chosen variants at once,
/// - no graph needs more operations than it can hold,
/// - ensure_modelled() accepts the workloads.
/// Call it before the first workload.
void ensure_memory(std::span<const Workload> workloads, const ComparisonSettings& settings,
                   const Device& device);

/// Throws the same unless the host has the memory of every workload for that many GPUs at once.
void ensure_host_memory(std::span<const Workload> workloads, std::uint32_t gpus);

/// Checks one workload, without its CPU reference.
void ensure_memory(const Workload& workload, const ComparisonSettings& settings,
                   const Device& device);

/// Returns the estimated time of the workload's CPU reference with an alphabet of `letters` words.
double reference_us(const Workload& workload, std::size_t letters);

/// Throws NotPossible if the reference would take minutes.
void ensure_reference(const Workload& workload, std::size_t letters = Reference::alphabet_size);

}  // namespace trilane
