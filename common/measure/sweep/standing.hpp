// The fastest variant of a comparison, or of a part of it.
#pragma once

#include <optional>
#include <vector>

#include "common/model/results/results.hpp"

namespace trilane {

/// The fastest variant so far, and the ratios of the others to it.
struct Standing {
  const Measurement* leader = nullptr;       ///< nullptr if no variant has times
  std::vector<std::optional<Ratio>> ratios;  ///< wall time over the leader's; by variant
};

/// Ranks by means of wall times; if the common rounds contradict these, by the rounds. Among
/// predictions within the model's error the reference leads or, without it, the first variant,
/// because variants are listed from plain to elaborate. Points into the comparison.
Standing standing_of(const Comparison& comparison);

/// Returns the wall time over the leader's; nothing without times or common rounds. With too few
/// rounds for an interval, low and high are the smallest and the largest ratio of a round.
std::optional<Ratio> ratio_over_leader(const Measurement& m, const Measurement& leader);

}  // namespace trilane
