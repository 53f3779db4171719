// A recording: a captured or built graph that is instantiated, uploaded and launched. Also facts
// about graphs.
#pragma once

#include <driver_types.h>

#include <functional>
#include <vector>

#include "common/measure/gpu/runtime/handles.hpp"
#include "common/model/variant/plan.hpp"

namespace trilane {

/// The work to capture. It enqueues on the given stream, and joins every forked stream back into
/// it.
using Issue = std::function<void(cudaStream_t)>;

/// Captures `issue` on `stream` or on a new one. The capture ends even if `issue` throws.
Graph capture(const Issue& issue, cudaStream_t stream);
Graph capture(const Issue& issue);

class Recording {
 public:
  /// Captures, instantiates and uploads, and waits until the graph is ready to launch.
  explicit Recording(const Issue& issue);
  /// Instantiates and uploads a given graph, and waits until it is ready to launch.
  explicit Recording(Graph graph);

  void launch(cudaStream_t origin) const;

  /// Makes later launches run `graph`, which must have the same nodes and edges but may have other
  /// operands.
  void update(const Graph& graph) const;

  cudaGraphExec_t executable() const { return executable_.get(); }

  /// Returns the graph's nodes by kind, roots, edges and longest path, as the runtime reports them.
  std::vector<Count> evidence() const;

  /// Returns the number of programmatic edges: from a kernel to one that may start before it ends.
  Count programmatic_edges() const;

 private:
  Graph graph_;
  GraphExec executable_;
};

/// Returns the number of nodes of each kind, of roots and edges, and of nodes on the longest path.
/// The longest path distinguishes graphs with equally many nodes and edges.
std::vector<Count> graph_facts(cudaGraph_t graph);

/// Returns the memory that graphs hold on the current device: "graph memory reserved bytes".
std::vector<Count> graph_memory_facts();

}  // namespace trilane
