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

/// Returns the value with the shortest mean; nothing without times. Another value, with all between
/// them, is `within` the margin if the whole interval of its ratio to the best lies there, and
/// `perhaps` if a part does. The cells are independent, so the squares of their relative half
/// widths add up.
std::optional<Optimum> optimum_of(const RegimeMap& map, const std::string& variant);

/// Returns "5500 us with 16 chunks; 8 to 32 within 2%". If the best value is an end of the range,
/// says so and what to sweep next. Without a merit returns the times at both ends.
std::string words_of(const RegimeMap& map, const Curve& curve);

/// Returns "same operations: graph with 16 chunks, 5480 us (streams ties)": the fastest of each
/// tier at its best value. A tier that changes more of the program is omitted unless it is faster.
std::vector<std::string> findings_of(const RegimeMap& map);

/// Derives everything that a file holds besides its cells: borders and, for one knob, merit, curves
/// and findings. Needs at least one cell.
void find_regimes(RegimeMap& map);

}  // namespace trilane
