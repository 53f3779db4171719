// Groups samples by turn: those of one variant in one round of one process.
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

/// A pass longer than this many times the median of its process was interrupted: the system ran
/// something else on the host's core, or stopped the whole virtual machine.
inline constexpr double interrupted_from = 3;

/// Returns the mean time of every turn, by process and round, without interrupted passes.
/// Interruptions depend on elapsed time, not on the variant: they only add noise to a ratio. Throws
/// std::invalid_argument unless all times are finite and not negative, and wall times above zero.
std::vector<TurnValue> turn_means(std::span<const Sample> samples,
                                  double Sample::*clock = &Sample::wall_us);

/// Two variants' turn_means() in the turns that both had.
struct SharedTurns {
  std::vector<TurnValue> variant, reference;
};

/// Throws as turn_means() does.
SharedTurns shared_turns(std::span<const Sample> variant, std::span<const Sample> reference);

/// Removes the times of interrupted passes from those of one process.
void drop_interrupted(std::vector<double>& times);

/// Returns the wall times of all uninterrupted passes. Throws as turn_means() does.
std::vector<double> uninterrupted_us(std::span<const Sample> samples);

/// Returns the values of each process in the order of their turns.
std::vector<std::vector<double>> by_process(std::span<const TurnValue> turns);

/// Returns the mean of each process's values; each must have one.
std::vector<double> means_of(std::span<const std::vector<double>> processes);

/// Returns the time of a pass: the middle mean over processes of the mean over turns. Throws
/// std::invalid_argument without samples, and as turn_means() does.
double pass_us(std::span<const Sample> samples, double Sample::*clock = &Sample::wall_us);

}  // namespace trilane
