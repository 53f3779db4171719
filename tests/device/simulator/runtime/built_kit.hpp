// Handmade graphs, for the tests of their rules.
#pragma once

#include <cuda_runtime_api.h>

#include "tests/device/simulator/runtime/rules.hpp"

namespace trilane::simulator::rules {

using Nodes = std::vector<cudaGraphNode_t>;

inline Graph make_graph() {
  cudaGraph_t graph = nullptr;
  check(cudaGraphCreate(&graph, 0));
  return Graph(graph);
}

inline cudaGraphNode_t add_kernel(const Graph& graph, const Nodes& after,
                                  const NodeKernel& kernel) {
  cudaGraphNode_t node = nullptr;
  check(cudaGraphAddKernelNode(&node, graph.get(), after.data(), after.size(), kernel.get()));
  return node;
}

inline cudaGraphNode_t add_mark(const Graph& graph, const Nodes& after, char letter) {
  return add_kernel(graph, after, NodeKernel(letter));
}

inline cudaGraphNode_t add_copy(const Graph& graph, const Nodes& after, void* to, const void* from,
                                std::size_t bytes) {
  cudaGraphNode_t node = nullptr;
  check(cudaGraphAddMemcpyNode1D(&node, graph.get(), after.data(), after.size(), to, from, bytes,
                                 cudaMemcpyDefault));
  return node;
}

/// Returns `count` elements of four bytes.
inline cudaMemsetParams words(void* to, unsigned value, std::size_t count) {
  return {.dst = to, .pitch = 0, .value = value, .elementSize = 4, .width = count, .height = 1};
}

inline cudaGraphNode_t add_memset(const Graph& graph, const Nodes& after,
                                  const cudaMemsetParams& parameters) {
  cudaGraphNode_t node = nullptr;
  check(cudaGraphAddMemsetNode(&node, graph.get(), after.data(), after.size(), &parameters));
  return node;
}

/// Launches it once on its own stream and waits.
inline void run(const GraphExec& executable) {
  const Stream stream = make_stream();
  launch(executable, stream);
  check(cudaStreamSynchronize(stream.get()));
}

}  // namespace trilane::simulator::rules
