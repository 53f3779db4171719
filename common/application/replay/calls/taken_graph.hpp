// The graph that the application launched, as it was then.
#pragma once

#include <cuda.h>

#include <vector>

#include "common/application/replay/calls/driver_handles.hpp"

namespace trilane {

struct TakenGraph {
  OwnGraph graph;                  ///< a clone
  std::vector<CUgraphNode> nodes;  ///< the operations in it, by number in the RecordedGraph
  unsigned long long flags = 0;    ///< for its instantiation
};

}  // namespace trilane
