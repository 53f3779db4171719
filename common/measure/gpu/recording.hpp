// Recordings of a pass: a graph, captured or built node by node, that is instantiated, uploaded and
// launched; and one with batches of copies, which no graph can hold. Also facts about graphs.
#pragma once

#include <driver_types.h>

#include "common/measure/gpu/runtime/phase.hpp"
#include "common/measure/gpu/scratch.hpp"

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

/// Builds a graph node by node: the stages of a pass in issue order, with the edges of order_of():
/// within a chunk, and from the previous chunk of its lane, which used the same memory.
class GraphBuilder {
 public:
  explicit GraphBuilder(const Job& job);

  /// Adds `operation`, which implements `step`.
  void add(const Step& step, Operation operation);

  /// Returns the nodes of the steps added so far, in that order.
  const std::vector<cudaGraphNode_t>& nodes() const { return nodes_; }

  /// Returns the graph with all its nodes. The builder must not be used afterwards.
  Graph finish() {
    phase_.reset();
    return std::move(graph_);
  }

 private:
  // One phase for all nodes, because a single node is too short to time.
  std::optional<Phase> phase_{std::in_place, "build"};
  Graph graph_;
  StageOrder order_;
  std::vector<std::vector<cudaGraphNode_t>> latest_;  // of each lane and stage; null before
  std::vector<cudaGraphNode_t> nodes_;
};

/// Copies that are passed to the runtime as one batch.
class CopyBatch {
 public:
  /// Collects the copies of all steps of `runs`, each to or from its chunk in `scratch`. They run
  /// in any order. Copies of 0 bytes are left out, because the runtime refuses them.
  CopyBatch(const Job& job, const std::vector<StageRun>& runs, const PassScratch& scratch);

  /// Enqueues all of them in one call, in the order of `stream`. The runtime refuses the legacy
  /// default stream and a capturing stream. Throws CudaError.
  void enqueue(cudaStream_t stream) const;

 private:
  void add(void* to, const void* from, std::size_t bytes);

  std::vector<void*> to_;
  std::vector<const void*> from_;
  std::vector<std::size_t> bytes_;
};

/// The part of a pass that is captured: memsets and kernels between copies.
using IssueRuns = std::function<void(const std::vector<StageRun>&, cudaStream_t)>;

class BatchedRecording {
 public:
  /// Makes a batch of each segment of copies in one direction, and captures `issue` for the stages
  /// between them.
  BatchedRecording(const Job& job, const PassScratch& scratch, const IssueRuns& issue);

  /// Enqueues the batches and launches the graphs, in the order of the stages.
  void launch(cudaStream_t origin) const;

  /// Returns the facts of all graphs, added up.
  std::vector<Count> evidence() const;

 private:
  std::vector<bool> is_batch_;  // of each segment of the pass
  std::vector<CopyBatch> batches_;
  std::vector<Recording> graphs_;
};

}  // namespace trilane
