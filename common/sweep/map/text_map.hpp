// The map for a terminal.
#pragma once

#include <string>

#include "common/sweep/map/regime_map.hpp"

namespace trilane {

/// Heading, map with one letter per cell, legend, borders in words and remarks; at most 80 columns.
/// A capital letter is a clear winner, a small one the fastest of several that tie.
std::string map_text(const RegimeMap& map);

}  // namespace trilane
