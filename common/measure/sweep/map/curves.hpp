// What a sweep over one knob found: the best value of each variant, and how flat the optimum is.
#pragma once

#include <optional>

#include "common/measure/sweep/map/regime_map.hpp"

namespace trilane {

/// Values count as good as the best if they take at most this share longer. Less would be lost in
/// what processes differ by, about 1%.
inline constexpr double flat_margin = 0.02;

/// The time that a variant's values are compared by, in microseconds or microseconds per byte, with
/// its 95% interval.
struct CurvePoint {
  double mean = 0, low = 0, high = 0;
};

/// The variant's point at that position; nothing if it was not timed there. Merit::none gives the
/// wall time.
std::optional<CurvePoint> point_of(const RegimeMap& map, const std::string& variant,
                                   std::size_t position);

/// The best value has the shortest mean. Another value, with all between them, is `within` the
/// margin if the whole interval of its ratio to the best lies there, and `perhaps` if a part does;
/// the cells are independent, so the squares of their relative half widths add up. Nothing without
/// times.
std::optional<Optimum> optimum_of(const RegimeMap& map, const std::string& variant);

/// "5500 us with 16 chunks; 8 to 32 within 2%", or, if the best value is an end of the range, that
/// it is, and what to sweep next. Without a merit the times at both ends.
std::string words_of(const RegimeMap& map, const Curve& curve);

/// "same operations: graph with 16 chunks, 5480 us (streams ties)": the fastest of each tier at its
/// best value. A tier that changes more of the program is left out unless it is faster.
std::vector<std::string> findings_of(const RegimeMap& map);

/// Derives all that a file holds besides its cells: borders and, over one knob, merit, curves and
/// findings. Needs at least one cell.
void find_regimes(RegimeMap& map);

}  // namespace trilane
