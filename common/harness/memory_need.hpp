// What comparisons take of host and device, held against what is there.
#pragma once

#include <cstddef>
#include <span>
#include <string>

#include "common/gpu/runtime/device.hpp"
#include "common/harness/comparison_settings.hpp"
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

}  // namespace trilane
