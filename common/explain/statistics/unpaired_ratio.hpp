// Computes the ratio of one variant in two runs, with its interval.
#pragma once

#include <span>

#include "common/model/results/results.hpp"

namespace trilane {

/// Returns the ratio of wall times, `now` over `before`, from two runs, with an interval at
/// `confidence`. Each side is the mean logarithm of its rounds' medians or, with several processes,
/// of the processes' means. A side from one process does not cover differences between processes;
/// if it has fewer than `fewest_rounds` the ratio is undecided(). Throws std::invalid_argument
/// without samples, and unless all wall times are finite and above zero.
Ratio unpaired_ratio(std::span<const Sample> now, std::span<const Sample> before,
                     double confidence = 0.95);

}  // namespace trilane
