#include "common/application/recorder/driver/executable_graphs.hpp"

#include <algorithm>
#include <utility>

#include "common/application/recorder/driver/driver_functions.hpp"

namespace trilane {
namespace {

constexpr char not_seen[] = "its graph was made in a way that the recorder does not support";
constexpr char not_cloned[] = "the driver cannot copy its graph";
constexpr char too_large[] = "copies of the application's graphs would exceed --memory";
constexpr char not_read[] = "the driver does not say what its graph does";
constexpr char not_followed[] =
    "a node of its graph was set in a way that the recorder does not support";
constexpr char for_devices[] = "its graph may be launched by kernels";

const char* refusal_in(const GraphWalk& walk) {
  for (const auto& node : walk.nodes) {
    if (node->call.refusal != nullptr) return node->call.refusal;
  }
  return nullptr;
}

/// Returns true if both have the same copies between the same addresses.
bool same_operations(const GraphWalk& one, const GraphWalk& other) {
  return std::ranges::equal(one.nodes, other.nodes, [](const auto& a, const auto& b) {
    return a->call.kind == b->call.kind && a->call.source == b->call.source &&
           a->call.destination == b->call.destination && a->call.bytes == b->call.bytes;
  });
}

}  // namespace

void ExecutableGraphs::made(CUgraphExec executable, CUgraph graph, unsigned long long flags) {
  any_ = true;
  if (!driver_functions().know_graphs()) return;
  Entry& entry = entries_[executable];
  forget(entry);
  entry.flags = flags;
  keep(entry, graph);
  if (flags & CUDA_GRAPH_INSTANTIATE_FLAG_DEVICE_LAUNCH) entry.refusal = for_devices;
}

void ExecutableGraphs::updated(CUgraphExec executable, CUgraph graph) {
  if (const Entry* const entry = entry_of(executable)) made(executable, graph, entry->flags);
}

void ExecutableGraphs::released(CUgraphExec executable) {
  if (Entry* const entry = entry_of(executable)) forget(*entry);
  entries_.erase(executable);
}

void ExecutableGraphs::lose(CUgraphExec executable, const char* why) {
  if (Entry* const entry = entry_of(executable)) {
    forget(*entry);
    entry->refusal = why;
  }
}

ExecutableGraphs::Entry* ExecutableGraphs::entry_of(CUgraphExec executable) {
  const auto found = entries_.find(executable);
  return found == entries_.end() ? nullptr : &found->second;
}

void ExecutableGraphs::give_back() {
  for (auto& [executable, entry] : entries_) forget(entry);
  entries_.clear();
}

void ExecutableGraphs::forget(Entry& entry) {
  if (entry.clone != nullptr) driver_functions().cuGraphDestroy(entry.clone);
  nodes_ -= entry.nodes;
  entry = {};
}

/// A graph that cannot be cloned is read at once: later it may have changed.
void ExecutableGraphs::keep(Entry& entry, CUgraph graph) {
  const std::uint64_t nodes = nodes_in(graph);
  if (nodes > most_nodes_ - nodes_) {
    entry.refusal = too_large;
    return;
  }
  if (driver_functions().cuGraphClone(&entry.clone, graph) == CUDA_SUCCESS) {
    entry.nodes = nodes;
    nodes_ += nodes;
    cloned_nodes_ = std::max(cloned_nodes_, nodes_);
    return;
  }
  entry.clone = nullptr;
  entry.walk = walk_of(graph);
  read(entry);
  if (entry.refusal == nullptr) entry.refusal = not_cloned;
}

void ExecutableGraphs::read(Entry& entry) {
  if (entry.clone != nullptr) entry.walk = walk_of(entry.clone);
  if (!entry.walk.known) {
    forget(entry);
    entry.refusal = not_read;
    return;
  }
  if (entry.refusal == nullptr) entry.refusal = refusal_in(entry.walk);
  entry.content = std::make_shared<ObservedGraph>();
  entry.content->number = ++numbered_;
  entry.content->nodes = entry.walk.nodes;
}

std::shared_ptr<const ObservedGraph> ExecutableGraphs::what_is_in(CUgraphExec executable) {
  Entry* const entry = entry_of(executable);
  if (entry == nullptr) return nullptr;
  if (entry->content == nullptr && entry->clone != nullptr) read(*entry);
  return entry->content;
}

const char* ExecutableGraphs::refusal_of(CUgraphExec executable) {
  const Entry* const entry = entry_of(executable);
  return entry == nullptr ? not_seen : entry->refusal;
}

CUgraphNode ExecutableGraphs::own_node(CUgraphExec executable, CUgraphNode node) {
  const Entry* const entry = entry_of(executable);
  if (entry == nullptr || entry->clone == nullptr) return nullptr;
  CUgraphNode own = nullptr;
  const auto find = driver_functions().cuGraphNodeFindInClone;
  if (find(&own, node, entry->clone) == CUDA_SUCCESS && own != nullptr) return own;
  lose(executable, not_followed);
  return nullptr;
}

/// Reads only that node again, so that a program that sets a few per iteration is not slowed down.
ExecutableGraphs::ChangedNode ExecutableGraphs::node_changed(CUgraphExec executable,
                                                             CUgraphNode own, bool set) {
  if (what_is_in(executable) == nullptr) return {};
  Entry& entry = entries_.at(executable);
  const auto at = std::ranges::find(entry.walk.handles, own);
  CUgraphNodeType type{};
  std::shared_ptr<const ObservedNode> node;
  const auto number = static_cast<std::size_t>(at - entry.walk.handles.begin());
  if (set && at != entry.walk.handles.end() &&
      driver_functions().cuGraphNodeGetType(own, &type) == CUDA_SUCCESS) {
    node = node_in(own, type, entry.walk.nodes[number]->after);
  }
  if (node == nullptr) {
    lose(executable, not_followed);
    return {};
  }
  // A recorded launch may hold the previous content.
  if (entry.content.use_count() > 1) {
    entry.content = std::make_shared<ObservedGraph>(*entry.content);
  }
  entry.content->number = ++numbered_;
  entry.content->nodes[number] = entry.walk.nodes[number] = node;
  return {std::move(node), static_cast<std::uint32_t>(number)};
}

std::shared_ptr<TakenGraph> ExecutableGraphs::taken(CUgraphExec executable) {
  if (what_is_in(executable) == nullptr) return nullptr;
  const Entry& entry = entries_.at(executable);
  CUgraph clone = nullptr;
  if (entry.clone == nullptr ||
      driver_functions().cuGraphClone(&clone, entry.clone) != CUDA_SUCCESS) {
    return nullptr;
  }
  const auto graph = std::make_shared<TakenGraph>();
  graph->graph.reset(clone);
  GraphWalk walk = walk_of(clone);
  if (!walk.known || !same_operations(walk, entry.walk)) return nullptr;
  graph->nodes = std::move(walk.handles);
  graph->flags = entry.flags & CUDA_GRAPH_INSTANTIATE_FLAG_USE_NODE_PRIORITY;
  return graph;
}

}  // namespace trilane
