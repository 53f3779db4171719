// The map for a terminal.
#pragma once

#include <string>

#include "common/sweep/map/regime_map.hpp"

namespace trilane {

/// Heading, the map with one letter per cell, its legend, the borders in words and the remarks; at
/// most 80 columns. A capital letter is a clear winner, a small one the fastest of several that
/// tie.
std::string map_text(const RegimeMap& map);

}  // namespace trilane
