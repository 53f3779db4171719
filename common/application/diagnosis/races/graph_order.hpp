// Which nodes of a graph its edges order.
#pragma once

#include <cstddef>
#include <vector>

#include "common/application/recording/records/recorded_graph.hpp"

namespace trilane {

/// Takes memory in proportion to the square of the nodes: 12 MB for 10,000.
class GraphOrder {
 public:
  explicit GraphOrder(const RecordedGraph& graph) : before_(graph.nodes.size()) {
    for (std::size_t i = 0; i < before_.size(); ++i) {
      before_[i].resize(i);
      for (const std::uint32_t earlier : graph.nodes[i].after) {
        before_[i][earlier] = true;
        for (std::size_t j = 0; j < earlier; ++j) {
          if (before_[earlier][j]) before_[i][j] = true;
        }
      }
    }
  }

  /// Whether node `earlier`, the one with the smaller number, is done before `later` starts.
  bool ordered(std::size_t earlier, std::size_t later) const { return before_[later][earlier]; }

 private:
  std::vector<std::vector<bool>> before_;
};

}  // namespace trilane
