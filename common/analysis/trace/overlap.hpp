// Which activities ran at the same time.
#pragma once

#include <vector>

#include "common/analysis/trace/traced_pass.hpp"

namespace trilane {

/// How long operations of both activities were running on different lanes.
struct Overlap {
  Activity of, with;
  double us = 0;
  double share = 0;  ///< of the time that operations of the first were running
};

/// Of every ordered pair of activities of the pass, those of one kind with their own included. An
/// operation for the whole pass is on another lane than all others.
std::vector<Overlap> overlaps(const TracedPass& pass);

}  // namespace trilane
