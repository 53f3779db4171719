// Turns: the samples of one variant in one round of one process.
#pragma once

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "common/results/results.hpp"

namespace trilane {

using Turn = std::pair<std::uint32_t, std::uint32_t>;  // process and round

struct TurnValue {
  Turn turn;
  double value;
};

/// The median wall time of every turn, by process and round. Throws std::invalid_argument unless
/// all wall times are finite and above zero.
std::vector<TurnValue> turn_medians(std::span<const Sample> samples);

/// The logarithms of the values, which are sorted by turn, for each process.
std::vector<std::vector<double>> logs_by_process(std::span<const TurnValue> turns);

}  // namespace trilane
