// Turns: what one variant did in one round of one process.
#pragma once

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "common/results/results.hpp"

namespace trilane {

using Turn = std::pair<std::uint32_t, std::uint32_t>;  // process and round

struct TurnMedian {
  Turn turn;
  double wall_us;
};

/// The median wall time of every turn, in order of processes and rounds. Throws
/// std::invalid_argument when a wall time is not a finite number above zero.
std::vector<TurnMedian> turn_medians(std::span<const Sample> samples);

}  // namespace trilane
