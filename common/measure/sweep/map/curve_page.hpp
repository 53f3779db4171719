// The page for a sweep over one knob.
#pragma once

#include "common/base/text/page.hpp"
#include "common/measure/sweep/map/regime_map.hpp"

namespace trilane {

/// Returns a page with:
/// - times by value and variant,
/// - the best value of each variant, and how flat the optimum is,
/// - the fastest of each tier,
/// - which variant wins in which range, and remarks. A table of many values shows those at regular
///   steps and the best ones; with many variants, it shows those that fit the screen. At most about
///   40 lines for up to 12 variants.
Page curve_page(const RegimeMap& map);

}  // namespace trilane
