// Times that move one way while a process runs.
#pragma once

#include <optional>
#include <span>
#include <string>

namespace trilane {

/// From where to where a series moved, in its unit: the means of its first and its last third.
struct Drift {
  double from = 0, to = 0;
};

/// Returns the drift of values in the order of their measurement, or nothing. They drift if, of at
/// least 18 values, the 95% quantile of one of these thirds is below the 5% quantile of the
/// other, the median of the middle third is between their medians, and their means are at least 3%
/// apart. Of series without one, less than 1% count as drifting.
std::optional<Drift> drift_of(std::span<const double> values);

/// "from 382 to 442 us"; takes microseconds.
std::string in_words(const Drift& drift);

}  // namespace trilane
