// Finds which activities ran at the same time.
#pragma once

#include <vector>

#include "common/explain/analysis/trace/traced_pass.hpp"
#include "common/model/results/timeline.hpp"

namespace trilane {

/// Returns one entry per ordered pair of activities in the pass, including each with itself. An
/// operation for the whole pass counts as on a lane of its own.
std::vector<TimelineOverlap> overlaps(const TracedPass& pass);

}  // namespace trilane
