// Finds the rounds in which the host's core was slow.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace trilane {

/// How much longer the host takes in a slow round than in the fastest tenth of them. On an H200's
/// host a core shared with other work took 24% longer, and the calls of a pass up to 80%, for
/// seconds at a time; undisturbed it took the same within 1%.
inline constexpr double slowed_by = 0.1;

/// By round, whether the host was slow in it: `host_us` is how long it took for a fixed piece of
/// work, in any unit. Nothing is slow where that was not measured (0).
std::vector<bool> slow_rounds(std::span<const double> host_us);

}  // namespace trilane
