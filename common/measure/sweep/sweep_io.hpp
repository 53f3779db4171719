// The file of a sweep, for plots and for resuming.
#pragma once

#include <string>

#include "common/measure/sweep/map/regime_map.hpp"

namespace trilane {

/// The sweep as JSON, without raw samples: about 1.5 kB per cell. Leaves out cells that have not
/// run. Throws std::invalid_argument on a number that is not finite.
std::string to_json(const RegimeMap& map);

/// Reads what to_json wrote, and finds regimes and curves anew. Throws std::invalid_argument, with
/// the place, on anything else.
RegimeMap map_from_json(const std::string& text);

}  // namespace trilane
