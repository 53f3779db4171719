// Statistics of samples: quantiles, summaries, means of turns (a variant's samples in one round of
// one process), and ratios of two variants or two runs.
#pragma once

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

/// Returns how many of n values a middle mean omits at each end: a quarter, or 0 of less than 6.
std::size_t left_out_at_each_end(std::size_t n);

/// Returns the mean of at least one value without left_out_at_each_end() of them.
double middle_mean(std::span<const double> values);

/// Returns the summary, with the arithmetic mean. Throws like quantile().
Summary summary_of(std::span<const double> values);

/// Returns the lower median of at least one size.
std::uint64_t median_bytes(std::vector<std::uint64_t> sizes);

/// Returns the time of a pass in each process, by its number; see pass_us().
std::map<std::uint32_t, double> process_times(std::span<const Sample> samples);

/// The fewest rounds for an interval. With 6 it is 4.3 standard errors wide each way.
inline constexpr std::size_t fewest_rounds = 6;

/// Returns a ratio from too few rounds. Its interval reaches from zero to twice the larger of 1 and
/// the estimate: a tie, too wide for any precision.
Ratio undecided(double estimate);

/// Returns the ratio of mean wall times, `variant` over `reference`, of every round that both have,
/// by process and round. Throws what turn_means() does.
std::vector<double> round_ratios(std::span<const Sample> variant,
                                 std::span<const Sample> reference);

/// Returns a ratio for judging during a run: the geometric mean of one process's rounds with a 95%
/// interval that allows for correlated rounds (interval.hpp). It is undecided() with fewer than
/// `fewest_rounds`. On synthetic samples with drift, outliers, bimodality and autocorrelation the
/// interval contains the true value in 94 to 96% of cases
/// (tests/explain/statistics/ratio_test.cpp). Throws std::invalid_argument without a ratio.
Ratio ratio_of(std::span<const double> round_ratios);

/// Returns the expected half width of ratio_of(); a run may stop on this one (interval.hpp).
/// Infinite with fewer than `fewest_rounds`.
double expected_half_width(std::span<const double> round_ratios);

/// Returns the ratio of the times of a pass, `variant` over `reference`, in the rounds that both
/// have; nothing if they share none. Its 95% interval covers
/// - with several processes, another run of as many of each variant, which share neither a process
///   nor its pages nor its moment (Welch 1947);
/// - otherwise, the paired rounds of this process; undecided() with fewer than `fewest_rounds`.
std::optional<Ratio> variant_ratio(std::span<const Sample> variant,
                                   std::span<const Sample> reference);

/// Returns true if the ratio rests on enough rounds, or on a known error; see undecided().
inline bool decides(const Ratio& ratio) { return ratio.low > 0; }

/// Returns the longer arm of the interval relative to the estimate: 0.01 is 1%. Infinite instead of
/// not a number, so that `half_width(r) <= precision` stays false.
double half_width(const Ratio& ratio);

/// Returns the ratio of wall times, `m` over `base`; nothing if they share no round. Measured times
/// give variant_ratio(). Predicted times give the ratio of their means within the larger of both
/// errors, and undecided() if one of these is unknown.
std::optional<Ratio> wall_ratio(const Measurement& m, const Measurement& base);

/// Returns the ratio of wall times, `now` over `before`, from two runs, with an interval at
/// `confidence`. Each side is the mean logarithm of its rounds' medians or, with several processes,
/// of the processes' means. A side from one process does not cover differences between processes;
/// if it has fewer than `fewest_rounds` the ratio is undecided(). Throws std::invalid_argument
/// without samples, and unless all wall times are finite and above zero.
Ratio unpaired_ratio(std::span<const Sample> now, std::span<const Sample> before,
                     double confidence = 0.95);

/// Does the same with whole runs as the processes of samples, at least three together. They spread
/// alike on both sides, so one side may have a single run (Student's t with a pooled variance).
Ratio ratio_over_runs(std::span<const Sample> now, std::span<const Sample> before,
                      double confidence);

/// Derives summaries and ratios of every ok measurement and clears those of the others. A
/// measurement fails if one of its times is not a number or negative, or a wall time is zero.
void summarise(Comparison& comparison);

}  // namespace trilane
