// The file of a comparison of two runs.
#pragma once

#include <string>

#include "common/diff/change.hpp"

namespace trilane {

/// Both runs' paths and contexts, what differs between these, and per workload each variant's
/// medians, ratio (new over old, wall time) and verdict, with the sentence that sums them up.
std::string to_json(const RunChange& runs);

}  // namespace trilane
