#include "common/application/recorder/driver/graph_walk.hpp"

#include <algorithm>
#include <map>

#include "common/application/recorder/driver/driver_functions.hpp"
#include "common/application/recorder/driver/graph_node.hpp"

namespace trilane {
namespace {

using Numbers = std::vector<std::uint32_t>;

struct Edges {
  std::vector<CUgraphNode> from, to;
};

/// Nodes of one graph, and the predecessors of each.
struct Structure {
  std::vector<CUgraphNode> nodes;
  std::map<CUgraphNode, std::vector<CUgraphNode>> before;
};

bool read(CUgraph graph, Structure& structure) {
  const DriverFunctions& driver = driver_functions();
  std::size_t count = 0, links = 0;
  if (driver.graph_get_nodes(graph, nullptr, &count) != CUDA_SUCCESS) return false;
  structure.nodes.resize(count);
  if (count > 0 && driver.graph_get_nodes(graph, structure.nodes.data(), &count) != CUDA_SUCCESS)
    return false;
  if (driver.graph_get_edges(graph, nullptr, nullptr, nullptr, &links) != CUDA_SUCCESS)
    return false;
  Edges edges{std::vector<CUgraphNode>(links), std::vector<CUgraphNode>(links)};
  std::vector<CUgraphEdgeData> data(links);
  if (links > 0 && driver.graph_get_edges(graph, edges.from.data(), edges.to.data(), data.data(),
                                          &links) != CUDA_SUCCESS)
    return false;
  for (std::size_t i = 0; i < links; ++i) structure.before[edges.to[i]].push_back(edges.from[i]);
  return true;
}

class Walker {
 public:
  /// Adds a graph whose first nodes follow `after`. Returns the numbers of its last operations.
  Numbers add(CUgraph graph, const Numbers& after) {
    Structure structure;
    if (!read(graph, structure)) walk.known = false;
    std::map<CUgraphNode, Numbers> ends;
    std::map<CUgraphNode, bool> has_later;
    std::vector<CUgraphNode> left = structure.nodes;
    while (walk.known && !left.empty()) {
      const auto ready = [&](CUgraphNode node) {
        return std::ranges::all_of(structure.before[node],
                                   [&](CUgraphNode one) { return ends.contains(one); });
      };
      std::vector<CUgraphNode> waiting;
      for (const CUgraphNode node : left) {
        if (!ready(node)) {
          waiting.push_back(node);
          continue;
        }
        Numbers follows = structure.before[node].empty() ? after : Numbers();
        for (const CUgraphNode one : structure.before[node]) {
          has_later[one] = true;
          follows.insert(follows.end(), ends[one].begin(), ends[one].end());
        }
        ends[node] = add_node(node, std::move(follows));
      }
      if (waiting.size() == left.size()) walk.known = false;
      left = std::move(waiting);
    }
    Numbers last = structure.nodes.empty() ? after : Numbers();
    for (const auto& [node, numbers] : ends) {
      if (!has_later[node]) last.insert(last.end(), numbers.begin(), numbers.end());
    }
    return last;
  }

  GraphWalk walk;

 private:
  /// Returns the operations that must be done before the node counts as done.
  Numbers add_node(CUgraphNode node, Numbers after) {
    const DriverFunctions& driver = driver_functions();
    std::ranges::sort(after);
    const auto doubles = std::ranges::unique(after);
    after.erase(doubles.begin(), doubles.end());
    CUgraphNodeType type{};
    CUgraph child = nullptr;
    if (driver.graph_node_get_type(node, &type) != CUDA_SUCCESS) walk.known = false;
    if (!walk.known || type == CU_GRAPH_NODE_TYPE_EMPTY) return after;
    if (type == CU_GRAPH_NODE_TYPE_GRAPH) {
      walk.nested = true;
      if (driver.graph_child_get_graph(node, &child) == CUDA_SUCCESS) return add(child, after);
      walk.known = false;
      return after;
    }
    auto read = node_in(node, type, std::move(after));
    if (read == nullptr) {
      walk.known = false;
      return {};
    }
    walk.handles.push_back(node);
    walk.nodes.push_back(std::move(read));
    return {static_cast<std::uint32_t>(walk.nodes.size() - 1)};
  }
};

}  // namespace

GraphWalk walk_of(CUgraph graph) {
  Walker walker;
  walker.add(graph, {});
  return std::move(walker.walk);
}

}  // namespace trilane
