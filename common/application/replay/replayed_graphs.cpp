// Clones the graphs that an application launches, with the replay's own host buffers.
#include "common/application/replay/replayed_iteration.hpp"

namespace trilane {

/// Returns the next launch of the same executable graph, at call i or later, or else the first one.
std::size_t ReplayedIteration::launch_at(std::size_t i) const {
  const std::size_t calls = taken_.observed.calls.size();
  for (std::size_t step = 0; step < calls; ++step) {
    const std::size_t at = (i + step) % calls;
    const ObservedCall& call = taken_.observed.calls[at];
    const bool same = call.executable == taken_.observed.calls[i].executable;
    if (call.kind == CallKind::graph_launch && same && taken_.recording.calls[at].graph) return at;
  }
  refuse(i, "what its graph does is not known");
}

RecordedCall ReplayedIteration::recorded_node(std::size_t launch, std::size_t node) const {
  const std::size_t graph = *taken_.recording.calls[launch].graph;
  RecordedCall call = operation_of(taken_.recording.graphs[graph].nodes.at(node));
  call.name = taken_.recording.calls[launch].name;
  return call;
}

/// Returns a clone of the graph taken at call i, whose copies use the replay's own host memory;
/// null if the application's own is launched as it is.
CUgraph ReplayedIteration::own_graph(std::size_t i) {
  const std::size_t launch = launch_at(i);
  const std::shared_ptr<TakenGraph>& graph = taken_.captured[i].graph;
  const auto& content = taken_.observed.calls[i].graph;
  const ObservedGraph& observed = content ? *content : *taken_.observed.calls[launch].graph;
  if (graph == nullptr || graph->nodes.size() != observed.nodes.size()) {
    refuse(i, "its graph could not be copied");
  }
  const auto made = own_graphs_.find(graph.get());
  if (made != own_graphs_.end()) return made->second.get();
  for (std::size_t node = 0; node < graph->nodes.size(); ++node) {
    const ObservedCall& operation = observed.nodes[node]->call;
    ReplayedCall call;
    place_operation(recorded_node(launch, node), operation, source_of(launch, node), call);
    if (call.moving_destination || call.moving_source || !call.moving.empty()) {
      refuse(i, "its graph uses memory that the iteration allocates");
    }
    const bool own = call.source != operation.source || call.destination != operation.destination;
    if (operation.kind != CallKind::copy || !own) continue;
    const CUDA_MEMCPY3D block = block_of(call);
    TRILANE_DRIVER(cuGraphMemcpyNodeSetParams, graph->nodes[node], &block);
  }
  if (graph->as_it_is != nullptr) return nullptr;
  CUgraph clone = nullptr;
  TRILANE_DRIVER(cuGraphClone, &clone, graph->graph.get());
  own_graphs_.emplace(graph.get(), clone);
  return clone;
}

/// Returns its number; the first call that names an executable graph says what it is made of.
std::uint32_t ReplayedIteration::executable_of(std::size_t i) {
  const auto [known, is_new] =
      executable_of_.try_emplace(taken_.observed.calls[i].executable, executables_.size());
  if (!is_new) return known->second;
  ReplayedGraph& executable = executables_.emplace_back();
  executable.graph = own_graph(i);
  executable.taken = taken_.captured[i].graph;
  executable.sources = taken_.captured[launch_at(i)].sources;
  executable.set_whole = taken_.observed.calls[i].kind == CallKind::change_graph &&
                         taken_.observed.calls[i].graph != nullptr;
  return known->second;
}

void ReplayedIteration::place_launch(std::size_t i, ReplayedCall& call) {
  call.executable = executable_of(i);
  ReplayedGraph& executable = executables_[call.executable];
  if (executable.sources != taken_.captured[i].sources) {
    refuse(i, "the program changes what its copies read between two launches");
  }
  call.graph = own_graph(i);
  executable.launched = true;
}

void ReplayedIteration::place_change(std::size_t i, ReplayedCall& call) {
  const ObservedCall& observed = taken_.observed.calls[i];
  if (!observed.changed && !observed.graph) {
    refuse(i,
           "it makes, changes or releases an executable graph in a way that a replay does not "
           "repeat");
  }
  call.executable = executable_of(i);
  ReplayedGraph& executable = executables_[call.executable];
  if (executable.taken->as_it_is != nullptr) {
    refuse(i, "it changes a graph that the driver cannot copy");
  }
  // Otherwise the next run would begin with what this one left in the graph.
  if (executable.launched && !(executable.set_whole && observed.graph)) {
    refuse(i, "it changes a graph that the iteration has launched");
  }
  if (observed.changed) return place_node(i, call);
  call.graph = own_graph(i);
  executable.sources = taken_.captured[launch_at(i)].sources;
}

void ReplayedIteration::place_node(std::size_t i, ReplayedCall& call) {
  const ObservedCall& observed = taken_.observed.calls[i];
  const ObservedCall& operation = observed.changed->call;
  const ReplayedGraph& executable = executables_[call.executable];
  const std::size_t launch = launch_at(i);
  call.changed = operation.kind;
  TRILANE_DRIVER(cuGraphNodeFindInClone, &call.node, executable.taken->nodes.at(observed.node),
                 executable.graph);
  if (role_of(operation.kind) != CallRole::work) {
    refuse(i, "it sets a node of another kind");
  }
  place_operation(recorded_node(launch, observed.node), operation, source_of(launch, observed.node),
                  call);
}

}  // namespace trilane
