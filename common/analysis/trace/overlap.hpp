// Which activities ran at the same time.
#pragma once

#include <vector>

#include "common/analysis/trace/traced_pass.hpp"

namespace trilane {

/// How long operations of two activities ran at the same time on different lanes.
struct Overlap {
  Activity of, with;
  double us = 0;
  double share = 0;  ///< of the time that the first was running
};

/// One entry per ordered pair of activities in the pass, including each with itself. An operation
/// for the whole pass counts as on a lane of its own.
std::vector<Overlap> overlaps(const TracedPass& pass);

}  // namespace trilane
