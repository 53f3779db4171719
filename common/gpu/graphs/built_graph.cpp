#include "common/gpu/graphs/built_graph.hpp"

namespace trilane {

namespace {

Graph empty_graph() {
  cudaGraph_t graph = nullptr;
  check(cudaGraphCreate(&graph, 0));
  return Graph(graph);
}

}  // namespace

GraphBuilder::GraphBuilder(const Job& job) : graph_(empty_graph()), lanes_(job.workload.lanes) {}

void GraphBuilder::add(const Step& step, Operation operation) {
  Lane& lane = lanes_[step.lane];
  const auto node_after = [&](std::vector<cudaGraphNode_t> dependencies) {
    std::erase(dependencies, nullptr);
    nodes_.push_back(operation.add_to(graph_.get(), dependencies));
    return nodes_.back();
  };
  switch (step.stage) {
    case Stage::copy_in: lane.copy_in = node_after({lane.kernel}); break;
    case Stage::clear: lane.clear = node_after({lane.copy_out}); break;
    case Stage::transform:
      lane.kernel =
          step.kernel == 0 ? node_after({lane.copy_in, lane.clear}) : node_after({lane.kernel});
      break;
    case Stage::copy_out: lane.copy_out = node_after({lane.kernel}); break;
  }
}

}  // namespace trilane
