// Whether comparisons can run here: the memory that they need, the memory of host and device, and
// what a simulated device models.
#pragma once

#include <cstddef>
#include <span>
#include <string>

#include "common/measure/gpu/runtime/device.hpp"
#include "common/measure/harness/comparison_settings.hpp"
#include "common/model/workload/reference.hpp"

namespace trilane {

/// The kind of buffers in words: "host memory", and whether most of it is pinned.
std::string host_memory_text(HostMemory kind);

/// Throws NotPossible, with the figures and how to fix it, unless host and device have the memory
/// that every workload needs with all chosen variants at once, and no more operations than a graph
/// can take; and for what ensure_modelled() refuses. Call it before the first workload.
void ensure_memory(std::span<const Workload> workloads, const ComparisonSettings& settings,
                   const Device& device);

/// The same for one workload, without its CPU reference.
void ensure_memory(const Workload& workload, const ComparisonSettings& settings,
                   const Device& device);

/// The time of the workload's CPU reference with an alphabet of `letters` words, estimated.
double reference_us(const Workload& workload, std::size_t letters);

/// Throws NotPossible if it would take minutes.
void ensure_reference(const Workload& workload, std::size_t letters = Reference::alphabet_size);

}  // namespace trilane
