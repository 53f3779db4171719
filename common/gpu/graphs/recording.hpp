// A recording: work captured once into a graph, or a graph made node by node; instantiated,
// uploaded, and launched as a whole.
#pragma once

#include <functional>
#include <vector>

#include "common/gpu/graphs/graph_facts.hpp"
#include "common/gpu/runtime/handles.hpp"

namespace trilane {

/// What a capture records: it enqueues work on the stream it is given, and joins back into it
/// every stream it forks.
using Issue = std::function<void(cudaStream_t)>;

/// Captures `issue` into a graph, on `stream` or on one made for it. The capture ends even when
/// `issue` throws.
Graph capture(const Issue& issue, cudaStream_t stream);
Graph capture(const Issue& issue);

class Recording {
 public:
  /// Captures, instantiates and uploads, and waits until the graph is ready to launch.
  explicit Recording(const Issue& issue);
  /// The same with a graph that is there already.
  explicit Recording(Graph graph);

  void launch(cudaStream_t origin) const;

  /// Launches from now on run `graph`, which has the same nodes and edges with other operands.
  void update(const Graph& graph) const;

  cudaGraphExec_t executable() const { return executable_.get(); }

  /// The graph's nodes by kind, roots, edges and longest path, as the runtime reports them.
  std::vector<Count> evidence() const;

 private:
  Graph graph_;
  GraphExec executable_;
};

}  // namespace trilane
