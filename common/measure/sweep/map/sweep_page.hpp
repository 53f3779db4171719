// The page of a sweep.
#pragma once

#include "common/base/text/page.hpp"
#include "common/measure/sweep/map/regime_map.hpp"

namespace trilane {

/// Returns the page of a sweep, which ends with the borders in words and remarks.
///
/// Over two knobs, it shows a map with one letter per cell and a legend by tier. A capital letter
/// is a clear winner, a small one the fastest of several that tie.
///
/// Over one knob, it shows:
/// - times by value and variant,
/// - the best value of each variant, and how flat the optimum is,
/// - the fastest of each tier. A table of many values shows those at regular steps and the best
///   ones; with many variants, it shows those that fit the screen. At most about 40 lines.
Page sweep_page(const RegimeMap& map);

}  // namespace trilane
