// Break-even: after how many passes a variant has made up for its set-up against the reference.
#pragma once

#include <limits>
#include <span>
#include <vector>

#include "common/results/results.hpp"

namespace trilane {

/// Cumulated time by the number of passes: the set-up, then one pass after the other; straight
/// between whole numbers of passes. Entry k is the time when k passes are done.
using Course = std::vector<double>;

inline constexpr double never = std::numeric_limits<double>::infinity();

/// How many passes a variant is behind, when `lead` is its course less the reference's and every
/// further pass gains `gain_us` on it: the length of the part where that is above zero. Without
/// crossings back and forth this is the pass count at which the two courses meet. `never` when it
/// does not catch up.
double passes_behind(std::span<const double> lead, double gain_us);

/// Fills `break_even` of every ok measurement but the reference, from the prices, and clears it
/// where there is none: without a reference, with fewer than two set-ups of either, and where the
/// rounds decide nothing.
///
/// The course of the first passes is that of the set-ups. Every pass after them gains what the
/// second half of these gained, where there are 16 at least: one set-up's steady pass is not
/// another's. With fewer it gains what the reference's rounds take longer than the variant's. All
/// are means of the middle 80% (a sum of passes follows their mean; single hiccups are left out).
/// The interval is a 95% percentile bootstrap interval over set-ups and rounds, of both variants
/// together. Tear-down is not part of it: it comes after the last pass, whenever that is.
///
/// A crossing that was measured stays.
void find_break_even(Comparison& comparison);

/// Where the mean courses of real sequences cross (of the middle 80%), with a 95% interval
/// over them (variant's and reference's of one round belong together). Both are of the same number
/// of sequences and passes. `pays` says which crossing was foretold: one after which the variant is
/// ahead (later), or behind (at_first).
Crossing crossing_of(std::span<const Course> variant, std::span<const Course> reference, Pays pays,
                     std::uint64_t seed);

}  // namespace trilane
