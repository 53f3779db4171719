// The page for a map.
#pragma once

#include "common/base/text/page.hpp"
#include "common/measure/sweep/map/regime_map.hpp"

namespace trilane {

/// Returns heading, map with one letter per cell, legend by tier, borders in words and remarks. A
/// capital letter is a clear winner, a small one the fastest of several that tie. The map must have
/// rows.
Page map_page(const RegimeMap& map);

}  // namespace trilane
