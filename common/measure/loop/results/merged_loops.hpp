// Keeps the turns of long runs, and of several processes, in bounded memory.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "common/measure/loop/results/loop_results.hpp"

namespace trilane {

/// The most turn records that a measurement keeps. Half as many are enough for an interval.
inline constexpr std::size_t most_turns = 500;
/// The most items of a measurement with individual times, and the most restarts. Half as many leave
/// 20 beyond the 99% quantile. For the total of a file see most_json_values.
inline constexpr std::size_t most_samples = 4'000;

/// Adds a turn with the times of every item. Beyond `most` records, which is even, neighbours are
/// summed in pairs; items, wall time, the device's times and processor time stay complete. Beyond
/// `most_samples` every second sample is dropped, and later turns are sampled at the same rate.
void add_turn(LoopMeasurement& measurement, LoopTurn turn, std::size_t most = most_turns);

/// Returns every loop with the turns of all processes, numbered from 0 in the order of `all`; loops
/// that an interrupted process did not reach have fewer. If a contender failed in one process, it
/// has failed for that reason. Rounds and context are the first process's. Throws
/// std::invalid_argument without results, or if contenders differ.
LoopResults merged_loops(std::span<const LoopResults> all);

}  // namespace trilane
