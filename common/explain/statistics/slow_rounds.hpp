// Finds the rounds in which the host's core was slow.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace trilane {

/// How much longer the host takes in a slow round than in the fastest tenth of them. On two H200
/// hosts a core shared with other work took 8 to 24% longer, and the calls of a pass 15 to 80%, for
/// half a second to some seconds at a time; otherwise it took the same within 4%.
inline constexpr double slowed_by = 0.05;

/// By round, whether the host was slow in it: `host_us` is how long it took for a fixed piece of
/// work, in any unit, of which the median over a round and two on either side counts. Nothing is
/// slow where that was not measured (0).
std::vector<bool> slow_rounds(std::span<const double> host_us);

}  // namespace trilane
