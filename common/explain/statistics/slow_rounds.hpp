// Finds the rounds in which the host's core was slow.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace trilane {

/// The relative slow-down of the host that makes a round slow, compared with the fastest tenth of
/// rounds. On two H200 hosts a core shared with other work took 8 to 24% longer, and the calls of a
/// pass 15 to 80%. That lasted half a second to some seconds; otherwise times varied within 4%.
inline constexpr double slowed_by = 0.05;

/// Returns by round whether the host was slow in it. `host_us` is its time for a fixed piece of
/// work, in any unit; the median over a round and two on either side counts. Nothing is slow if
/// that was not measured (0).
std::vector<bool> slow_rounds(std::span<const double> host_us);

}  // namespace trilane
