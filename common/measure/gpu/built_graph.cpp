#include "common/measure/gpu/built_graph.hpp"

namespace trilane {

namespace {

Graph empty_graph() {
  cudaGraph_t graph = nullptr;
  check(cudaGraphCreate(&graph, 0));
  return Graph(graph);
}

}  // namespace

GraphBuilder::GraphBuilder(const Job& job)
    : graph_(empty_graph()),
      order_(order_of(job.workload)),
      latest_(job.workload.lanes, std::vector<cudaGraphNode_t>(order_.within.size())) {}

void GraphBuilder::add(const Step& step, Operation operation) {
  std::vector<cudaGraphNode_t>& latest = latest_[step.lane];
  std::vector<cudaGraphNode_t> dependencies;
  for (const auto* places : {&order_.within[step.place], &order_.across[step.place]}) {
    for (const std::uint32_t place : *places) {
      if (latest[place] != nullptr) dependencies.push_back(latest[place]);
    }
  }
  nodes_.push_back(operation.add_to(graph_.get(), dependencies));
  latest[step.place] = nodes_.back();
}

}  // namespace trilane
