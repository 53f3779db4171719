// Courses: the total time of a variant's set-up and passes, by the number of passes.
#pragma once

#include <cstddef>
#include <limits>
#include <span>
#include <vector>

#include "common/model/results/results.hpp"

namespace trilane {

/// Cumulative time of set-up and passes: entry k is the time after k passes. Linear between
/// entries.
using Course = std::vector<double>;

inline constexpr double never = std::numeric_limits<double>::infinity();

/// Returns for how many passes a variant is behind: the length of the part in which `lead`, its
/// course minus the reference's, is above zero, if every further pass gains `gain_us`. If the
/// courses cross once, this is where they cross. `never` if it does not catch up.
double passes_behind(std::span<const double> lead, double gain_us);

/// Returns the mean without the lowest and the highest tenth. Reorders the values.
double trimmed_mean(std::vector<double>& values);

/// The places of the selected courses.
using Indices = std::vector<std::size_t>;

/// Returns by number of passes the trimmed mean of the variant's chosen courses minus the
/// reference's. A median would be unstable: set-ups have two speeds (1.2 or 1.6 ms for a graph on
/// an H200), and the median of fifteen is sometimes one, sometimes the other.
std::vector<double> lead_of(std::span<const Course> variant, std::span<const Course> reference,
                            const Indices& chosen);

/// Returns the courses of that many set-ups with as many passes after each.
std::vector<Course> courses_of(const Price& price, std::size_t set_ups, std::size_t passes);

/// From this many passes after each set-up on, they show the time of a steady pass. It differs
/// between set-ups, with the memory and streams allocated, and the rounds have only one set-up.
inline constexpr std::size_t enough_passes = 16;

/// Returns the gain per pass of each pair of courses, over their second half.
std::vector<double> later_gains(std::span<const Course> variant, std::span<const Course> reference);

}  // namespace trilane
