// Statistics of samples: quantiles, summaries, and turns, which are the samples of one variant in
// one round of one process.
#pragma once

#include <cstdint>
#include <map>
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

/// The values of each process, by its number.
using ByProcess = std::map<std::uint32_t, std::vector<double>>;

/// Returns the wall times of all uninterrupted passes. Throws as turn_means() does.
ByProcess uninterrupted_us(std::span<const Sample> samples);

/// Returns the values of each process in the order of their turns.
ByProcess by_process(std::span<const TurnValue> turns);

/// Returns the mean of each process's values; each must have one.
std::vector<double> means_of(const ByProcess& processes);

/// Returns the time of a pass: the middle mean over processes of the mean over turns. Throws
/// std::invalid_argument without samples, and as turn_means() does.
double pass_us(std::span<const Sample> samples, double Sample::*clock = &Sample::wall_us);

/// Returns the quantile `q` by linear interpolation between order statistics (Hyndman and Fan 1996,
/// type 7). `values` need not be sorted. Throws std::invalid_argument without values, if one is not
/// finite, and if `q` is not in [0, 1].
double quantile(std::span<const double> values, double q);

/// Throws like quantile().
double median(std::span<const double> values);

/// Returns the arithmetic mean of at least one value.
double mean(std::span<const double> values);

/// Returns how many of n values a middle mean leaves out at each end: a quarter, rounded down; 0
/// below 6 values.
std::size_t left_out_at_each_end(std::size_t n);

/// Returns the mean of the middle half of at least one value, without left_out_at_each_end() of
/// them.
double middle_mean(std::span<const double> values);

/// Returns the summary, with the arithmetic mean. Throws like quantile().
Summary summary_of(std::span<const double> values);

/// Returns the lower median of at least one size.
std::uint64_t median_bytes(std::vector<std::uint64_t> sizes);

/// Returns the time of a pass in each process, by its number; see pass_us().
std::map<std::uint32_t, double> process_times(std::span<const Sample> samples);

/// Derives summaries and ratios of every ok measurement and clears those of the others. A
/// measurement fails if one of its times is not a number or negative, or a wall time is zero.
void summarise(Comparison& comparison);

}  // namespace trilane
