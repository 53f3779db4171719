// Turns: the samples of one variant in one round of one process.
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

/// The median wall time of every turn, by process and round. Throws std::invalid_argument unless
/// all wall times are finite and above zero.
std::vector<TurnMedian> turn_medians(std::span<const Sample> samples);

}  // namespace trilane
