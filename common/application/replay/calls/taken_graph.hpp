// The graph that the application launched, in its state at that time.
#pragma once

#include <cuda.h>

#include <vector>

#include "common/application/replay/calls/driver_handles.hpp"

namespace trilane {

struct TakenGraph {
  OwnGraph graph;                  ///< a clone
  std::vector<CUgraphNode> nodes;  ///< its operations, by number in the RecordedGraph
  unsigned long long flags = 0;    ///< for its instantiation
};

}  // namespace trilane
