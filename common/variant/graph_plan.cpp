#include "common/variant/graph_plan.hpp"

#include "common/variant/lane_plan.hpp"

namespace trilane {

namespace {

/// The chunks of the lane that has the most.
std::uint64_t chunks_of_first_lane(const Workload& workload) {
  return (workload.chunks() + workload.used_lanes() - 1) / workload.used_lanes();
}

struct Shape {
  std::uint64_t roots, edges, longest_path;
};

/// Turns `operations`, the calls that issue one pass, into a plan for a graph of that shape.
Plan as_graph(const Plan& operations, const Shape& shape) {
  const std::uint64_t allocations = calls_of(operations, "cudaMallocFromPoolAsync");
  Plan graph = operations;
  graph.model.issuer = Issuer::graph;
  graph.calls = {{"cudaGraphLaunch", 1}};
  graph.nodes = {{"kernel nodes", calls_of(operations, "cudaLaunchKernel")},
                 {"memcpy nodes", calls_of(operations, "cudaMemcpyAsync")},
                 {"memset nodes", calls_of(operations, "cudaMemsetAsync")},
                 {"alloc nodes", allocations},
                 {"free nodes", allocations},
                 {"other nodes", 0},
                 {"roots", shape.roots},
                 {"edges", shape.edges},
                 {"longest path", shape.longest_path}};
  expect(graph, graph.nodes);
  return graph;
}

}  // namespace

Plan recorded(const Plan& plan, const Workload& workload) {
  std::uint64_t nodes = 0;
  for (const char* operation : {"cudaLaunchKernel", "cudaMemcpyAsync", "cudaMemsetAsync",
                                "cudaMallocFromPoolAsync", "cudaFreeAsync"}) {
    nodes += calls_of(plan, operation);
  }
  const std::uint64_t lanes = workload.used_lanes();
  Plan graph = as_graph(
      plan, {.roots = lanes,
             .edges = nodes - lanes,
             .longest_path = chunks_of_first_lane(workload) * (nodes / workload.chunks())});
  if (plan.needs_pools) {
    graph.model.scratch = ScratchSource::graph_nodes;
    expect_at_least(graph, "graph memory reserved bytes", workload.scratch_bytes());
    // A capture takes nothing from the pool: the graph owns the memory of its allocation nodes.
    expect(graph, {{"pool used high bytes", 0}});
  }
  return graph;
}

Plan built_plan(const Workload& workload) {
  const std::uint64_t chunks = workload.chunks(), lanes = workload.used_lanes();
  // Within a chunk: two into the first kernel, between kernels, into the copy out. Between chunks
  // of a lane: into the copy in and into the clear.
  const std::uint64_t edges = chunks * (workload.depth + 2) + 2 * (chunks - lanes);
  Plan operations = stages_plan(workload);
  operations.model.chaining = Chaining::data_edges;
  return as_graph(operations,
                  {.roots = 2 * lanes,
                   .edges = edges,
                   .longest_path = chunks_of_first_lane(workload) * (workload.depth + 2)});
}

Plan set_plan(const Workload& workload) {
  const std::uint64_t chunks = workload.chunks();
  Plan plan = built_plan(workload);
  plan.model.issuer = Issuer::graph_set;
  plan.calls.push_back({"cudaGraphExecMemcpyNodeSetParams1D", 2 * chunks});
  plan.calls.push_back({"cudaGraphExecMemsetNodeSetParams", chunks});
  plan.calls.push_back({"cudaGraphExecKernelNodeSetParams", chunks * workload.depth});
  plan.scratch_bytes *= 2;
  return plan;
}

Plan updated_plan(const Workload& workload) {
  const Plan captured = lanes_plan(workload);
  Plan plan = recorded(captured, workload);
  plan.model.issuer = Issuer::graph_updated;
  plan.calls.insert(plan.calls.end(), captured.calls.begin(), captured.calls.end());
  for (const char* once : {"cudaStreamBeginCapture", "cudaStreamEndCapture", "cudaGraphExecUpdate",
                           "cudaGraphDestroy"}) {
    plan.calls.push_back({once, 1});
  }
  plan.scratch_bytes *= 2;
  return plan;
}

Plan coalesced_plan(const Workload& workload) {
  const std::uint64_t lanes = workload.used_lanes();
  const std::uint64_t kernels = std::uint64_t{workload.chunks()} * workload.depth;
  Plan operations = lanes_plan(workload);
  operations.model.scratch = ScratchSource::pass;
  operations.model.mover = Mover::engines_per_pass;
  operations.calls = {
      {"cudaMemcpyAsync", 2}, {"cudaMemsetAsync", 1}, {"cudaLaunchKernel", kernels}};
  operations.scratch_bytes = workload.bytes + workload.result_total();
  // From the copy in to the memset, from there into, within and out of each lane; and one from the
  // memset to the copy out, because the origin's order is recorded too.
  return as_graph(operations,
                  {.roots = 1,
                   .edges = 1 + kernels + lanes + 1,
                   .longest_path = chunks_of_first_lane(workload) * workload.depth + 3});
}

}  // namespace trilane
