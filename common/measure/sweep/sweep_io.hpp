// The file of a sweep, for plots and for resuming.
#pragma once

#include <boost/json/fwd.hpp>
#include <string>

#include "common/measure/sweep/map/regime_map.hpp"

namespace trilane {

/// Returns the sweep as JSON, without raw samples: about 1.5 kB per cell. Leaves out cells that
/// have not run. Throws std::invalid_argument on a number that is not finite.
std::string to_json(const RegimeMap& map);

/// Reads the output of to_json(), and derives regimes and curves anew. Throws
/// std::invalid_argument, with the place, on anything else.
RegimeMap map_from_json(const std::string& text);

/// Returns the JSON Schema of the file.
boost::json::object sweep_json_schema();

}  // namespace trilane
