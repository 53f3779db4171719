// Tracks the operations of executable graphs through all changes, and reads graphs node by node.
#pragma once

#include <cuda.h>

#include "common/application/iteration/observed_call.hpp"
#include "common/application/replay/replayed_call.hpp"

namespace trilane {

/// The operations of a graph and its children, each after its predecessors; no empty nodes.
struct GraphWalk {
  std::vector<CUgraphNode> handles;
  std::vector<std::shared_ptr<const ObservedNode>> nodes;
  bool known = true;  ///< the driver answered all questions
};

/// The graphs that a conditional node may run, by node. The driver tells them only at its creation.
using ConditionalBodies = std::map<CUgraphNode, std::vector<CUgraph>>;

/// Returns the operations; two walks of the same graph, or of an unchanged clone, have the same
/// order. Those of a conditional node's graphs follow the node, each once.
GraphWalk walk_of(CUgraph graph, const ConditionalBodies& bodies);

/// Returns the operation of a node that follows `after`; null if the driver does not say.
std::shared_ptr<ObservedNode> node_in(CUgraphNode node, CUgraphNodeType type,
                                      std::vector<std::uint32_t> after);

/// Keeps a clone of the graph that each executable graph was made from, and changes it as the
/// application does. One that cannot be cloned, because it allocates memory or has conditional
/// nodes, is read at once, and a replay launches the application's own. The driver's errors make a
/// graph unknown, and so does a lack of memory. Not thread-safe.
class ExecutableGraphs : boost::noncopyable {
 public:
  /// Memory of a clone, by node: 288 KiB of the device for 400 kernels, and less of the host.
  static constexpr std::uint64_t node_bytes = 1024;

  /// `most_bytes`: limit of all clones. `skips_host_functions`: a replay's call nothing.
  ExecutableGraphs(std::uint64_t most_bytes, bool skips_host_functions)
      : most_nodes_(most_bytes / node_bytes), skips_host_functions_(skips_host_functions) {}

  /// Releases all clones, because no replay follows: every graph is unknown.
  void give_back();

  /// Returns true if there has ever been one.
  bool any() const { return any_; }

  /// Must be called when a conditional node was made, with the graphs that it may run.
  void decides(CUgraphNode node, std::vector<CUgraph> bodies) { bodies_[node] = std::move(bodies); }
  /// `flags` are those of cuGraphInstantiateWithFlags.
  void made(CUgraphExec executable, CUgraph graph, unsigned long long flags);
  void updated(CUgraphExec executable, CUgraph graph) {
    if (const Entry* const entry = entry_of(executable)) made(executable, graph, entry->flags);
  }
  void released(CUgraphExec executable);
  /// Marks a graph as changed in a way that is not tracked.
  void lose(CUgraphExec executable, const char* why) {
    if (Entry* const entry = entry_of(executable)) lose(*entry, why);
  }

  /// A node's current operation, and its number in the graph.
  struct ChangedNode {
    std::shared_ptr<const ObservedNode> node;
    std::uint32_t number = 0;
  };
  /// Notes that one of its nodes was set: `set(node)` must do the same to a node of a graph, and
  /// return the driver's code. Returns no node if the graph is unknown.
  template <typename Set>
  ChangedNode node_set(CUgraphExec executable, CUgraphNode node, Set set) {
    const CUgraphNode own = own_node(executable, node);
    if (own == nullptr) return {};
    return node_changed(executable, own, set(own) == CUDA_SUCCESS);
  }

  /// Returns its current content; null if unknown.
  std::shared_ptr<const ObservedGraph> what_is_in(CUgraphExec executable);
  /// Returns why no replay can launch it; null if one can.
  const char* refusal_of(CUgraphExec executable);
  /// Returns a clone for a replay, or the application's own; null if there can be none.
  std::shared_ptr<TakenGraph> taken(CUgraphExec executable);

 private:
  struct Entry {
    CUgraph clone = nullptr;
    std::uint64_t nodes = 0;  ///< of the clone
    unsigned long long flags = 0;
    GraphWalk walk{};  ///< of the clone
    std::shared_ptr<ObservedGraph> content{};
    const char* refusal = nullptr;
  };

  Entry* entry_of(CUgraphExec executable);
  void keep(Entry& entry, CUgraph graph);
  void forget(Entry& entry);
  void lose(Entry& entry, const char* why);
  CUgraphNode own_node(CUgraphExec executable, CUgraphNode node);
  ChangedNode node_changed(CUgraphExec executable, CUgraphNode own, bool set);

  bool any_ = false;
  const std::uint64_t most_nodes_;
  const bool skips_host_functions_;
  std::uint64_t nodes_ = 0;  ///< of all clones
  std::unordered_map<CUgraphExec, Entry> entries_;
  ConditionalBodies bodies_;
  std::uint64_t numbered_ = 0;
};

}  // namespace trilane
