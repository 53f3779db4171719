#include "common/model/variant/graph_plan.hpp"

#include "common/model/variant/lane_plan.hpp"
#include "common/model/workload/buffer_layout.hpp"

namespace trilane {
namespace {

std::uint64_t chunks_of_first_lane(const Workload& workload) {
  return (workload.chunks() + workload.used_lanes() - 1) / workload.used_lanes();
}

struct Shape {
  std::uint64_t roots, edges, longest_path;
};

/// Returns the nodes on the longest path of the stages of the lane with the most chunks.
std::uint64_t longest_path(const Workload& workload, const StageOrder& order) {
  std::vector<std::uint64_t> ends(order.within.size());  // of the latest chunk, by stage
  for (std::uint64_t chunk = 0; chunk < chunks_of_first_lane(workload); ++chunk) {
    for (std::size_t place = 0; place < ends.size(); ++place) {
      std::uint64_t before = 0;
      for (const std::uint32_t other : order.within[place]) before = std::max(before, ends[other]);
      if (chunk > 0) {
        for (const std::uint32_t other : order.across[place]) {
          before = std::max(before, ends[other]);
        }
      }
      ends[place] = before + 1;
    }
  }
  return *std::ranges::max_element(ends);
}

/// Returns the graph of runs of stages: a copy or memset for all chunks, or chains of kernels.
Shape in_runs(const Workload& workload, const std::vector<StageRun>& runs) {
  const std::uint64_t lanes = workload.used_lanes(), chunks = workload.chunks();
  Shape shape{};
  std::uint64_t in_front = 0;  // nodes that the next one depends on
  bool lanes_used = false;
  for (const StageRun& run : runs) {
    if (run.stage == Stage::transform) {
      const std::uint64_t kernels = chunks * run.count;
      if (in_front == 0) shape.roots += lanes;
      shape.edges += (in_front > 0 ? lanes : 0) + kernels - lanes;
      if (std::exchange(lanes_used, true)) shape.edges += lanes;  // a lane's order continues
      shape.longest_path += chunks_of_first_lane(workload) * run.count;
      // The origin's order is also recorded.
      in_front = lanes + (in_front > 0 ? 1 : 0);
      continue;
    }
    const std::uint64_t nodes = operations_together(workload, run);
    if (in_front == 0) shape.roots += 1;
    shape.edges += in_front + (nodes - 1);
    shape.longest_path += nodes;
    in_front = 1;
  }
  return shape;
}

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
    // A capture allocates nothing from the pool: the graph owns the memory of its allocation nodes.
    expect(graph, {{"pool used high bytes", 0}});
  }
  return graph;
}

Plan early_plan(const Workload& workload) {
  Plan plan = recorded(lanes_plan(workload), workload);
  plan.model.chaining = Chaining::lanes_early;
  const auto early = std::ranges::count(early_places(workload), true);
  const Count edges{"programmatic edges", workload.chunks() * static_cast<std::uint64_t>(early)};
  plan.nodes.push_back(edges);
  expect(plan, {edges});
  return plan;
}

Plan built_plan(const Workload& workload) {
  const std::uint64_t chunks = workload.chunks(), lanes = workload.used_lanes();
  const StageOrder order = order_of(workload);
  Shape shape{.roots = 0, .edges = 0, .longest_path = longest_path(workload, order)};
  for (std::size_t place = 0; place < order.within.size(); ++place) {
    shape.edges += chunks * order.within[place].size();
    shape.edges += (chunks - lanes) * order.across[place].size();
    if (!order.within[place].empty()) continue;
    shape.roots += order.across[place].empty() ? chunks : lanes;
  }
  Plan operations = stages_plan(workload);
  operations.model.chaining = Chaining::data_edges;
  return as_graph(operations, shape);
}

Plan set_plan(const Workload& workload) {
  const std::uint64_t chunks = workload.chunks();
  const StageCounts stages = workload.stages();
  Plan plan = built_plan(workload);
  plan.model.issuer = Issuer::graph_set;
  plan.calls.push_back({"cudaGraphExecMemcpyNodeSetParams1D", chunks * stages.copies()});
  plan.calls.push_back({"cudaGraphExecMemsetNodeSetParams", chunks * stages.clears});
  plan.calls.push_back({"cudaGraphExecKernelNodeSetParams", chunks * stages.kernels});
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
  Plan operations = lanes_plan(workload);
  operations.model.scratch = ScratchSource::pass;
  operations.model.mover = Mover::engines_per_pass;
  const Operations counts = operations_of(operations.model, workload);
  operations.calls = {{"cudaMemcpyAsync", counts.copies},
                      {"cudaMemsetAsync", counts.memsets},
                      {"cudaLaunchKernel", counts.kernels}};
  operations.scratch_bytes = pass_bytes(workload);
  return as_graph(operations, in_runs(workload, stage_runs(workload)));
}

Plan batch_plan(const Workload& workload) {
  Plan operations = lanes_plan(workload);
  operations.model.scratch = ScratchSource::pass;
  operations.model.mover = Mover::engines_batched;
  operations.scratch_bytes = pass_bytes(workload);
  const Operations counts = operations_of(operations.model, workload);
  Shape shape{};  // of all graphs together
  std::uint64_t graphs = 0;
  for (const StageSection& section : stage_sections(workload)) {
    if (section.copies) continue;
    const Shape one = in_runs(workload, section.runs);
    shape.roots += one.roots;
    shape.edges += one.edges;
    shape.longest_path += one.longest_path;
    ++graphs;
  }
  operations.calls = {{"cudaMemsetAsync", counts.memsets}, {"cudaLaunchKernel", counts.kernels}};
  Plan plan = graphs > 0 ? as_graph(operations, shape) : operations;  // a file may contain only
                                                                      // copies
  plan.calls = {{"cudaMemcpyBatchAsync", counts.copies}};
  if (graphs > 0) plan.calls.push_back({"cudaGraphLaunch", graphs});
  return plan;
}

}  // namespace trilane
