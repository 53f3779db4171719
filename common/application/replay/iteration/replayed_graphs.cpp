// Clones the graphs that an application launches, with the replay's own host buffers.
#include <algorithm>

#include "common/application/replay/iteration/replayed_iteration.hpp"
#include "common/base/text/exit_code.hpp"

namespace trilane {

namespace {

/// Returns the next launch of the same executable graph, at call i or later, or else the first one.
std::size_t launch_at(const TakenIteration& taken, std::size_t i) {
  const std::size_t calls = taken.observed.calls.size();
  for (std::size_t step = 0; step < calls; ++step) {
    const std::size_t at = (i + step) % calls;
    const ObservedCall& call = taken.observed.calls[at];
    const bool same = call.executable == taken.observed.calls[i].executable;
    if (call.kind == CallKind::graph_launch && same && taken.recording.calls[at].graph) return at;
  }
  throw NotPossible(taken.recording.calls[i].name + ": what its graph does is not known");
}

/// Returns the node as a call of the recording.
RecordedCall recorded_node(const TakenIteration& taken, std::size_t launch, std::size_t node) {
  const std::size_t graph = *taken.recording.calls[launch].graph;
  RecordedCall call = operation_of(taken.recording.graphs[graph].nodes.at(node));
  call.name = taken.recording.calls[launch].name;
  return call;
}

ReplayedCall begun(const ObservedCall& observed) {
  ReplayedCall call;
  call.kind = observed.kind;
  call.bytes = observed.bytes;
  call.height = std::max<std::uint64_t>(1, observed.height);
  return call;
}

bool moves(const ReplayedCall& call) {
  return call.moving_destination || call.moving_source || !call.moving.empty();
}

}  // namespace

/// Returns a clone of the graph taken at call i, whose copies use the replay's own host memory.
CUgraph ReplayedIteration::own_graph(const TakenIteration& taken, std::size_t i) {
  const std::size_t launch = launch_at(taken, i);
  const std::shared_ptr<TakenGraph>& graph = taken.captured[i].graph;
  const std::string& name = taken.recording.calls[i].name;
  const auto& content = taken.observed.calls[i].graph;
  const ObservedGraph& observed = content ? *content : *taken.observed.calls[launch].graph;
  if (graph == nullptr || graph->nodes.size() != observed.nodes.size()) {
    throw NotPossible(name + ": its graph could not be copied");
  }
  const auto made = own_graphs_.find(graph.get());
  if (made != own_graphs_.end()) return made->second.get();
  for (std::size_t node = 0; node < graph->nodes.size(); ++node) {
    const ObservedCall& operation = observed.nodes[node]->call;
    ReplayedCall call = begun(operation);
    if (call.kind == CallKind::kernel) place_kernel(operation.launch, call);
    if (call.kind == CallKind::memset) place_memset(operation, call);
    if (call.kind == CallKind::copy) {
      place_copy(taken.recording, recorded_node(taken, launch, node), operation,
                 source_of(taken, launch, node), call);
    }
    if (moves(call)) {
      throw NotPossible(name + ": its graph uses memory that the iteration allocates");
    }
    const bool own = call.source != operation.source || call.destination != operation.destination;
    if (call.kind != CallKind::copy || !own) continue;
    const CUDA_MEMCPY3D block = block_of(call);
    TRILANE_DRIVER(cuGraphMemcpyNodeSetParams, graph->nodes[node], &block);
  }
  CUgraph clone = nullptr;
  TRILANE_DRIVER(cuGraphClone, &clone, graph->graph.get());
  own_graphs_.emplace(graph.get(), clone);
  return clone;
}

/// Returns its number; the first call that names an executable graph says what it is made of.
std::uint32_t ReplayedIteration::executable_of(const TakenIteration& taken, std::size_t i) {
  const auto [known, is_new] =
      executable_of_.try_emplace(taken.observed.calls[i].executable, executables_.size());
  if (!is_new) return known->second;
  ReplayedGraph& executable = executables_.emplace_back();
  executable.graph = own_graph(taken, i);
  executable.flags = taken.captured[i].graph->flags;
  executable.nodes = taken.captured[i].graph->nodes;
  executable.sources = taken.captured[launch_at(taken, i)].sources;
  executable.set_whole = taken.observed.calls[i].kind == CallKind::change_graph &&
                         taken.observed.calls[i].graph != nullptr;
  return known->second;
}

void ReplayedIteration::place_launch(const TakenIteration& taken, std::size_t i,
                                     ReplayedCall& call) {
  call.executable = executable_of(taken, i);
  ReplayedGraph& executable = executables_[call.executable];
  if (executable.sources != taken.captured[i].sources) {
    throw NotPossible(taken.recording.calls[i].name +
                      ": the program changes what its copies read between two launches");
  }
  call.graph = own_graph(taken, i);
  executable.launched = true;
}

void ReplayedIteration::place_change(const TakenIteration& taken, std::size_t i,
                                     ReplayedCall& call) {
  const ObservedCall& observed = taken.observed.calls[i];
  const std::string& name = taken.recording.calls[i].name;
  if (!observed.changed && !observed.graph) {
    throw NotPossible(name +
                      ": it makes, changes or releases an executable graph in a way that a "
                      "replay does not repeat");
  }
  call.executable = executable_of(taken, i);
  ReplayedGraph& executable = executables_[call.executable];
  // Otherwise the next run would begin with what this one left in the graph.
  if (executable.launched && !(executable.set_whole && observed.graph)) {
    throw NotPossible(name + ": it changes a graph that the iteration has launched");
  }
  if (observed.changed) return place_node(taken, i, call);
  call.graph = own_graph(taken, i);
  executable.sources = taken.captured[launch_at(taken, i)].sources;
}

void ReplayedIteration::place_node(const TakenIteration& taken, std::size_t i, ReplayedCall& call) {
  const ObservedCall& observed = taken.observed.calls[i];
  const ObservedCall& operation = observed.changed->call;
  const ReplayedGraph& executable = executables_[call.executable];
  const std::size_t launch = launch_at(taken, i);
  call.changed = operation.kind;
  call.bytes = operation.bytes;
  call.height = std::max<std::uint64_t>(1, operation.height);
  TRILANE_DRIVER(cuGraphNodeFindInClone, &call.node, executable.nodes.at(observed.node),
                 executable.graph);
  switch (operation.kind) {
    case CallKind::kernel:
      call.parameters = taken.parameters[i];
      return place_kernel(operation.launch, call);
    case CallKind::memset: return place_memset(operation, call);
    case CallKind::copy:
      return place_copy(taken.recording, recorded_node(taken, launch, observed.node), operation,
                        source_of(taken, launch, observed.node), call);
    default: throw NotPossible(taken.recording.calls[i].name + ": it sets a node of another kind");
  }
}

}  // namespace trilane
