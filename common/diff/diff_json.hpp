// The file that compares two runs.
#pragma once

#include <string>

#include "common/diff/change.hpp"

namespace trilane {

/// Both runs' paths and contexts, the differences between these, and per workload each variant's
/// medians, ratio (new over old, wall time) and verdict, with a sentence that sums them up.
std::string to_json(const RunChange& runs);

}  // namespace trilane
