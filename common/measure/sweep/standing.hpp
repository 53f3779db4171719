// The times of variants in a cell, and the fastest of them.
#pragma once

#include "common/model/results/results.hpp"

namespace trilane {

struct WallTime {
  double mean = 0, low = 0, high = 0;  ///< microseconds
};

/// Returns the time of a pass (statistics.hpp), with an interval:
/// - with several processes, the 95% interval for another run of as many,
/// - with one, that of the geometric mean of the rounds, centred on the time,
/// - with fewer than `fewest_rounds`, from the shortest to the longest round,
/// - with one round, from the shortest to the longest sample.
/// Intervals of one process do not cover others. Throws std::invalid_argument without samples.
WallTime wall_time_of(const Measurement& m);

/// Returns true if enough rounds give an interval of at most `precision`, also in expectation.
bool is_known_to(double precision, const Measurement& m);

/// Returns the positions of the variants of each tier, in the order of the tiers.
std::map<Tier, std::vector<std::size_t>> tiers_in(const Comparison& comparison);

/// Returns the reference and rounds of the comparison with these of its variants.
Comparison part_of(const Comparison& comparison, const std::vector<std::size_t>& places);

/// The fastest variant so far, and the ratios of the others to it.
struct Standing {
  const Measurement* leader = nullptr;         ///< nullptr if no variant has times
  std::vector<std::optional<Ratio>> ratios{};  ///< wall time over the leader's; by variant
};

/// Ranks by means of wall times; if the common rounds contradict these, by the rounds. Among
/// predictions within the model's error the reference leads or, without it, the first variant,
/// because variants are listed from plain to elaborate. Points into the comparison.
Standing standing_of(const Comparison& comparison);

/// Returns the wall time over the leader's; nothing without times or common rounds. With too few
/// rounds for an interval, low and high are the smallest and the largest ratio of a round.
std::optional<Ratio> ratio_over_leader(const Measurement& m, const Measurement& leader);

}  // namespace trilane
