// Break-even: the number of passes after which a variant has recovered its extra set-up time.
#pragma once

#include "common/model/results/results.hpp"

namespace trilane {

/// Time of set-up and passes: entry k is the time after k passes. Linear between entries.
using Course = std::vector<double>;

inline constexpr double never = std::numeric_limits<double>::infinity();

/// Returns for how many passes a variant is behind: the length of the part in which `lead`, its
/// course minus the reference's, is above zero, if every further pass gains `gain_us`. If the
/// courses cross once, this is where they cross. `never` if it does not catch up.
double passes_behind(std::span<const double> lead, double gain_us);

/// Derives `break_even` of every ok measurement except the reference. Clears it without a
/// reference, with fewer than two measured set-ups of either, and if the rounds are too few. A
/// measured crossing is kept.
///
/// The first passes are those timed after each set-up. Every further pass gains as much as the
/// second half of these passes or, with fewer than 16 of them, as the rounds say. The mean of the
/// middle 80% is used throughout: total time depends on the mean, but outliers must not move it.
/// The 95% interval is a percentile bootstrap over set-ups and rounds of both variants; over
/// several processes the gain is drawn from Student's t around their mean. Tear-down does not
/// count.
///
/// A predicted break-even rests on one set-up and lies within the model's error of break-evens. It
/// is omitted if the gain is not distinguishable.
void find_break_even(Comparison& comparison);

/// Returns where the mean courses of real sequences cross, with a 95% interval. Entry i of both
/// belongs to one round, and all courses are equally long. `pays` is the predicted kind: `later`
/// looks for where the variant gets ahead, `at_first` for where it falls behind.
Crossing crossing_of(std::span<const Course> variant, std::span<const Course> reference, Pays pays,
                     std::uint64_t seed);

}  // namespace trilane
