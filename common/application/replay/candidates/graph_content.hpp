// The content of graphs: as the driver reports it, or as planned.
#pragma once

#include <cuda.h>

#include <cstdint>
#include <vector>

#include "common/model/variant/plan.hpp"

namespace trilane {

/// Counts over all graphs of an iteration, without the content of child graphs.
struct GraphContent {
  std::uint64_t nodes = 0, kernels = 0, copies = 0, memsets = 0;
  std::uint64_t edges = 0;
  std::uint64_t programmatic_edges = 0;  ///< among them
  std::uint64_t prioritised = 0;         ///< kernels with a higher priority than most: below 0
  std::uint64_t cooperative = 0;
  std::uint64_t clusters = 0;  ///< kernels in clusters of several blocks
};

/// Adds the content of a graph. Throws DriverError.
void add_content(CUgraph graph, GraphContent& to);

/// Returns the counts by their names, "nodes", "programmatic edges"; that of clusters is the last.
std::vector<Count> facts_of(const GraphContent& content);

}  // namespace trilane
