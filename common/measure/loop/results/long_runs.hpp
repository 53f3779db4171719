// Keeps the turns of a long run in bounded memory.
#pragma once

#include <cstddef>
#include <cstdint>

#include "common/measure/loop/results/loop_results.hpp"

namespace trilane {

/// The most records of turns that a measurement keeps. Half as many are enough for an interval.
inline constexpr std::size_t most_turns = 500;
/// The most items of a measurement with times of their own, and as many restarts. Half as many
/// leave 20 beyond the 99% quantile. All measurements of a file together, see most_json_values.
inline constexpr std::size_t most_samples = 4'000;

/// Adds a turn with the times of every item. Beyond `most` records neighbours are added up, two by
/// two, so `most` is even; items, wall time, the device's times and processor time stay complete.
/// Beyond `most_samples` every second sample is dropped, and of later turns as many.
void add_turn(LoopMeasurement& measurement, LoopTurn turn, std::size_t most = most_turns);

/// Adds the turns of a process, with its number, to those of the ones before. Samples are dropped
/// until both are of every n-th item, and likewise beyond `most_samples`.
void add_process(LoopMeasurement& all, const LoopMeasurement& more, std::uint32_t process);

}  // namespace trilane
