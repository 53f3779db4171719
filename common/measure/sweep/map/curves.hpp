// The results of a sweep over one knob: the best value of each variant, and how flat the optimum
// is.
#pragma once

#include <optional>

#include "common/measure/sweep/map/regime_map.hpp"

namespace trilane {

/// Values that take at most this share longer count as good as the best. Differences between
/// processes, about 1%, would hide a smaller margin.
inline constexpr double flat_margin = 0.02;

/// The time by which a variant's values are compared, in microseconds or microseconds per byte,
/// with its 95% interval.
struct CurvePoint {
  double mean = 0, low = 0, high = 0;
};

/// Returns the variant's point at that position; nothing if it was not timed there. Merit::none
/// gives the wall time.
std::optional<CurvePoint> point_of(const RegimeMap& map, const std::string& variant,
                                   std::size_t position);

/// Derives everything that a file holds besides its cells: borders and, for one knob, merit, curves
/// and findings. Needs at least one cell.
void find_regimes(RegimeMap& map);

}  // namespace trilane
