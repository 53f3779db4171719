// A recording: a captured or built graph that is instantiated, uploaded and launched; and facts
// about graphs.
#pragma once

#include <driver_types.h>

#include <functional>
#include <vector>

#include "common/measure/gpu/runtime/handles.hpp"
#include "common/model/variant/plan.hpp"

namespace trilane {

/// What a capture records. It enqueues work on the stream that it gets, and joins every stream that
/// it forks back into it.
using Issue = std::function<void(cudaStream_t)>;

/// Captures `issue` on `stream` or on a new one. The capture ends even if `issue` throws.
Graph capture(const Issue& issue, cudaStream_t stream);
Graph capture(const Issue& issue);

class Recording {
 public:
  /// Captures, instantiates and uploads, and waits until the graph is ready to launch.
  explicit Recording(const Issue& issue);
  /// The same with a given graph.
  explicit Recording(Graph graph);

  void launch(cudaStream_t origin) const;

  /// Makes later launches run `graph`, which has the same nodes and edges with other operands.
  void update(const Graph& graph) const;

  cudaGraphExec_t executable() const { return executable_.get(); }

  /// The graph's nodes by kind, roots, edges and longest path, as the runtime reports them.
  std::vector<Count> evidence() const;

  /// How many of the edges are programmatic: from a kernel to one that may start before it ends.
  Count programmatic_edges() const;

 private:
  Graph graph_;
  GraphExec executable_;
};

/// The number of nodes of each kind, of roots and edges, and of nodes on the longest path, which
/// distinguishes graphs with equally many nodes and edges.
std::vector<Count> graph_facts(cudaGraph_t graph);

/// How many edges of the graph are programmatic.
std::uint64_t programmatic_edges_of(cudaGraph_t graph);

/// The memory that graphs hold on the current device: "graph memory reserved bytes".
std::vector<Count> graph_memory_facts();

}  // namespace trilane
