// Finds times that drift while a process runs.
#pragma once

#include <optional>
#include <span>
#include <string>

namespace trilane {

/// The means of a series' first and last third, in its unit.
struct Drift {
  double from = 0, to = 0;
};

/// Returns the drift of values in the order of their measurement, or nothing. They drift if all of
/// these hold for at least 18 values:
/// - the 95% quantile of the first or last third is below the other's 5% quantile;
/// - the median of the middle third is between their medians;
/// - their means are at least 3% apart.
/// Less than 1% of series without drift count as drifting.
std::optional<Drift> drift_of(std::span<const double> values);

/// Returns "from 382 to 442 us"; takes microseconds.
std::string in_words(const Drift& drift);

}  // namespace trilane
