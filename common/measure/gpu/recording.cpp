#include "common/measure/gpu/recording.hpp"

#include <cuda_runtime_api.h>

namespace trilane {
namespace {

/// Ends a failed capture: an unfinished one would restrict calls in the whole process. An error
/// from ending it is ignored, because the first error is already being thrown.
void abandon_capture(cudaStream_t stream) {
  cudaGraph_t graph = nullptr;
  if (cudaStreamEndCapture(stream, &graph) == cudaSuccess) Graph abandoned(graph);
}

struct Edges {
  std::vector<cudaGraphNode_t> from, to;
  std::vector<cudaGraphEdgeData> data;
};

std::vector<cudaGraphNode_t> nodes_of(cudaGraph_t graph) {
  std::size_t count = 0;
  check(cudaGraphGetNodes(graph, nullptr, &count));
  std::vector<cudaGraphNode_t> nodes(count);
  if (count > 0) check(cudaGraphGetNodes(graph, nodes.data(), &count));
  return nodes;
}

Edges edges_of(cudaGraph_t graph) {
  std::size_t count = 0;
  check(cudaGraphGetEdges(graph, nullptr, nullptr, nullptr, &count));
  Edges edges{std::vector<cudaGraphNode_t>(count), std::vector<cudaGraphNode_t>(count),
              std::vector<cudaGraphEdgeData>(count)};
  if (count > 0) {
    check(cudaGraphGetEdges(graph, edges.from.data(), edges.to.data(), edges.data.data(), &count));
  }
  return edges;
}

const char* kind_of(cudaGraphNode_t node) {
  cudaGraphNodeType type{};
  check(cudaGraphNodeGetType(node, &type));
  switch (type) {
    case cudaGraphNodeTypeKernel: return "kernel nodes";
    case cudaGraphNodeTypeMemcpy: return "memcpy nodes";
    case cudaGraphNodeTypeMemset: return "memset nodes";
    case cudaGraphNodeTypeMemAlloc: return "alloc nodes";
    case cudaGraphNodeTypeMemFree: return "free nodes";
    default: return "other nodes";
  }
}

/// Returns the number of nodes on the longest path, by a walk in topological order (Kahn 1962).
std::uint64_t longest_path(const std::vector<cudaGraphNode_t>& nodes, const Edges& edges) {
  std::map<cudaGraphNode_t, std::vector<cudaGraphNode_t>> next;
  std::map<cudaGraphNode_t, std::size_t> waiting_for;
  for (std::size_t edge = 0; edge < edges.from.size(); ++edge) {
    next[edges.from[edge]].push_back(edges.to[edge]);
    ++waiting_for[edges.to[edge]];
  }
  std::vector<cudaGraphNode_t> ready;
  for (cudaGraphNode_t node : nodes) {
    if (!waiting_for.contains(node)) ready.push_back(node);
  }
  std::uint64_t length = 0;
  while (!ready.empty()) {
    ++length;
    std::vector<cudaGraphNode_t> then;
    for (cudaGraphNode_t node : ready) {
      for (cudaGraphNode_t successor : next[node]) {
        if (--waiting_for[successor] == 0) then.push_back(successor);
      }
    }
    ready.swap(then);
  }
  return length;
}

}  // namespace

Graph capture(const Issue& issue) {
  const Stream stream = make_stream();
  return capture(issue, stream.get());
}

Graph capture(const Issue& issue, cudaStream_t stream) {
  const Phase phase("capture");
  // Global mode: a call that a capture forbids fails on any thread, rather than silently missing
  // from the graph.
  check(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
  cudaGraph_t graph = nullptr;
  try {
    issue(stream);
    check(cudaStreamEndCapture(stream, &graph));
  } catch (...) {
    abandon_capture(stream);
    throw;
  }
  return Graph(graph);
}

Recording::Recording(const Issue& issue) : Recording(capture(issue)) {}

Recording::Recording(Graph graph) : graph_(std::move(graph)), executable_(instantiate(graph_)) {
  const Phase phase("upload");
  const Stream stream = make_stream();
  check(cudaGraphUpload(executable_.get(), stream.get()));
  check(cudaStreamSynchronize(stream.get()));
}

void Recording::launch(cudaStream_t origin) const {
  check(cudaGraphLaunch(executable_.get(), origin));
}

void Recording::update(const Graph& graph) const {
  cudaGraphExecUpdateResultInfo info{};
  check(cudaGraphExecUpdate(executable_.get(), graph.get(), &info));
}

std::vector<Count> Recording::evidence() const { return graph_facts(graph_.get()); }

Count Recording::programmatic_edges() const {
  const auto is_programmatic = [](const cudaGraphEdgeData& edge) {
    return edge.type == cudaGraphDependencyTypeProgrammatic;
  };
  const auto count = std::ranges::count_if(edges_of(graph_.get()).data, is_programmatic);
  return {"programmatic edges", static_cast<std::uint64_t>(count)};
}

std::vector<Count> graph_facts(cudaGraph_t graph) {
  const std::vector<cudaGraphNode_t> nodes = nodes_of(graph);
  std::vector<Count> facts{{"kernel nodes", 0}, {"memcpy nodes", 0}, {"memset nodes", 0},
                           {"alloc nodes", 0},  {"free nodes", 0},   {"other nodes", 0}};
  for (cudaGraphNode_t node : nodes) {
    const std::string kind = kind_of(node);
    ++std::ranges::find(facts, kind, &Count::name)->value;
  }
  std::size_t roots = 0;
  check(cudaGraphGetRootNodes(graph, nullptr, &roots));
  const Edges edges = edges_of(graph);
  facts.push_back({"roots", roots});
  facts.push_back({"edges", edges.from.size()});
  facts.push_back({"longest path", longest_path(nodes, edges)});
  return facts;
}

std::vector<Count> graph_memory_facts() {
  int device = 0;
  check(cudaGetDevice(&device));
  std::uint64_t bytes = 0;
  check(cudaDeviceGetGraphMemAttribute(device, cudaGraphMemAttrReservedMemCurrent, &bytes));
  return {{"graph memory reserved bytes", bytes}};
}

GraphBuilder::GraphBuilder(const Job& job)
    : graph_(make_graph()),
      order_(order_of(job.workload)),
      latest_(job.workload.all_lanes(), std::vector<cudaGraphNode_t>(order_.within.size())) {}

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

CopyBatch::CopyBatch(const Job& job, const std::vector<StageRun>& runs,
                     const PassScratch& scratch) {
  for (const StageRun& run : runs) {
    for (const Step& step : steps_of(job, run)) {
      std::byte* const device = scratch[step][step.buffer];
      switch (step.stage) {
        case Stage::copy_in: add(device, step.host_in, step.in_bytes); break;
        case Stage::copy_out: add(step.host_out, device, step.out_bytes); break;
        case Stage::clear:
        case Stage::transform: break;
      }
    }
  }
}

void CopyBatch::add(void* to, const void* from, std::size_t bytes) {
  if (bytes == 0) return;
  to_.push_back(to);
  from_.push_back(from);
  bytes_.push_back(bytes);
}

void CopyBatch::enqueue(cudaStream_t stream) const {
  if (bytes_.empty()) return;
  // In stream order: a copy reads what was written by work enqueued before the batch.
  cudaMemcpyAttributes attributes{};
  attributes.srcAccessOrder = cudaMemcpySrcAccessOrderStream;
  std::size_t first = 0;  // the attributes apply from this copy on
  check(cudaMemcpyBatchAsync(to_.data(), from_.data(), bytes_.data(), bytes_.size(), &attributes,
                             &first, 1, stream));
}

BatchedRecording::BatchedRecording(const Job& job, const PassScratch& scratch,
                                   const IssueRuns& issue) {
  for (const StageSection& section : stage_sections(job.workload)) {
    is_batch_.push_back(section.copies);
    if (section.copies) {
      batches_.emplace_back(job, section.runs, scratch);
    } else {
      graphs_.emplace_back([&](cudaStream_t origin) { issue(section.runs, origin); });
    }
  }
}

void BatchedRecording::launch(cudaStream_t origin) const {
  auto batch = batches_.begin();
  auto graph = graphs_.begin();
  for (const bool is_batch : is_batch_) {
    if (is_batch) {
      (batch++)->enqueue(origin);
    } else {
      (graph++)->launch(origin);
    }
  }
}

std::vector<Count> BatchedRecording::evidence() const {
  std::vector<Count> facts;
  for (const Recording& graph : graphs_) facts = added_up(std::move(facts), graph.evidence());
  return facts;
}

}  // namespace trilane
