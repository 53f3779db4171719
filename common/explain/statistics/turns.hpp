// Turns: the samples of one variant in one round of one process, and what a pass takes in them.
#pragma once

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "common/model/results/results.hpp"

namespace trilane {

using Turn = std::pair<std::uint32_t, std::uint32_t>;  // process and round

struct TurnValue {
  Turn turn;
  double value;
};

/// A pass that takes more than this many times the median of its process was interrupted: the
/// system ran something else on the host's core, or stopped the whole virtual machine.
inline constexpr double interrupted_from = 3;

/// The mean time of every turn, by process and round, without interrupted passes. Interruptions
/// come as often as time passes, whatever the variant: they add noise to a ratio and nothing else.
/// Throws std::invalid_argument unless all times are finite and not negative, and wall times above
/// zero.
std::vector<TurnValue> turn_means(std::span<const Sample> samples,
                                  double Sample::*clock = &Sample::wall_us);

/// Two variants' turn_means() in the turns that both had.
struct SharedTurns {
  std::vector<TurnValue> variant, reference;
};

/// Throws as turn_means() does.
SharedTurns shared_turns(std::span<const Sample> variant, std::span<const Sample> reference);

/// Removes those of interrupted passes from the times of one process.
void drop_interrupted(std::vector<double>& times);

/// The wall times of all passes that were not interrupted. Throws as turn_means() does.
std::vector<double> uninterrupted_us(std::span<const Sample> samples);

/// The values of each process in the order of their turns.
std::vector<std::vector<double>> by_process(std::span<const TurnValue> turns);

/// The mean of each process's values, of which it has at least one.
std::vector<double> means_of(std::span<const std::vector<double>> processes);

/// What a pass takes: the middle mean over processes of the mean over turns. Throws
/// std::invalid_argument without samples, and as turn_means() does.
double pass_us(std::span<const Sample> samples, double Sample::*clock = &Sample::wall_us);

}  // namespace trilane
