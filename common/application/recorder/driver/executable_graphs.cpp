#include "common/application/recorder/driver/executable_graphs.hpp"

#include "common/application/iteration/memory_map.hpp"
#include "common/application/recorder/driver/driver_surroundings.hpp"

namespace trilane {
namespace {

constexpr char not_seen[] = "its graph was made in a way that the recorder does not support";
constexpr char too_large[] = "copies of the application's graphs would exceed --memory";
constexpr char copies_host[] =
    "a node of its graph copies host memory, and the driver cannot copy the graph";
constexpr char outlives[] =
    "its graph allocates memory that outlives a launch, or frees such memory";
constexpr char not_read[] = "the driver does not say what its graph does";
constexpr char not_followed[] =
    "a node of its graph was set in a way that the recorder does not support";
constexpr char for_devices[] = "its graph may be launched by kernels";

const char* refusal_in(const GraphWalk& walk, bool skips_host_functions) {
  for (const auto& node : walk.nodes) {
    const bool skipped = skips_host_functions && node->call.kind == CallKind::host_function;
    if (node->call.refusal != nullptr && !skipped) return node->call.refusal;
  }
  return nullptr;
}

bool is_device_memory(std::uint64_t address) {
  unsigned type = 0;
  const CUresult code =
      driver_functions().cuPointerGetAttribute(&type, CU_POINTER_ATTRIBUTE_MEMORY_TYPE, address);
  return code == CUDA_SUCCESS && type == CU_MEMORYTYPE_DEVICE;
}

/// Returns why a replay must not launch a graph whose copies cannot be given other host memory, and
/// whose allocations stay where they are; null if it may.
const char* refusal_as_it_is(const GraphWalk& walk) {
  MemoryMap own;
  std::set<std::uint64_t> live;
  for (const auto& node : walk.nodes) {
    const ObservedCall& call = node->call;
    if (allocates(call.kind)) {
      own.allocated(MemoryKind::pool, call.destination, call.bytes);
      live.insert(call.destination);
    }
    if (frees(call.kind) && live.erase(call.destination) == 0) return outlives;
  }
  const auto on_device = [&](std::uint64_t address) {
    return own.find(address) != nullptr || is_device_memory(address);
  };
  for (const auto& node : walk.nodes) {
    const ObservedCall& call = node->call;
    const bool stays = on_device(call.source) && on_device(call.destination);
    if (call.kind == CallKind::copy && !stays) return copies_host;
  }
  return live.empty() ? nullptr : outlives;
}

bool calls_nothing(CUgraphNode node) {
  const CUDA_HOST_NODE_PARAMS nothing{.fn = [](void*) {}, .userData = nullptr};
  return driver_functions().cuGraphHostNodeSetParams(node, &nothing) == CUDA_SUCCESS;
}

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

void ExecutableGraphs::released(CUgraphExec executable) {
  if (Entry* const entry = entry_of(executable)) forget(*entry);
  entries_.erase(executable);
}

void ExecutableGraphs::lose(Entry& entry, const char* why) {
  forget(entry);
  entry.refusal = why;
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
  entry = {.flags = entry.flags};  // for its next content
}

/// Read at once: a graph that cannot be cloned may have changed later.
void ExecutableGraphs::keep(Entry& entry, CUgraph graph) {
  const bool cloned = driver_functions().cuGraphClone(&entry.clone, graph) == CUDA_SUCCESS;
  if (!cloned) entry.clone = nullptr;
  entry.walk = walk_of(cloned ? entry.clone : graph, bodies_);
  const std::uint64_t nodes = cloned ? entry.walk.nodes.size() : 0;
  if (!entry.walk.known) return lose(entry, not_read);
  if (nodes > most_nodes_ - nodes_) return lose(entry, too_large);
  nodes_ += entry.nodes = nodes;
  entry.refusal = refusal_in(entry.walk, skips_host_functions_ && cloned);
  if (entry.refusal == nullptr && !cloned) entry.refusal = refusal_as_it_is(entry.walk);
  entry.content = std::make_shared<ObservedGraph>();
  entry.content->number = ++numbered_;
  entry.content->nodes = entry.walk.nodes;
}

std::shared_ptr<const ObservedGraph> ExecutableGraphs::what_is_in(CUgraphExec executable) {
  any_ = true;  // also if it was made before anything was heard
  const Entry* const entry = entry_of(executable);
  return entry == nullptr ? nullptr : entry->content;
}

const char* ExecutableGraphs::refusal_of(CUgraphExec executable) {
  const Entry* const entry = entry_of(executable);
  return entry == nullptr ? not_seen : entry->refusal;
}

CUgraphNode ExecutableGraphs::own_node(CUgraphExec executable, CUgraphNode node) {
  const Entry* const entry = entry_of(executable);
  if (entry == nullptr) return nullptr;
  CUgraphNode own = nullptr;
  const auto find = driver_functions().cuGraphNodeFindInClone;
  if (entry->clone != nullptr && find(&own, node, entry->clone) == CUDA_SUCCESS && own != nullptr)
    return own;
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
  const auto graph = std::make_shared<TakenGraph>();
  if (entry.clone == nullptr) {
    if (entry.refusal != nullptr) return nullptr;
    graph->as_it_is = executable;
    graph->nodes = entry.walk.handles;
    return graph;
  }
  CUgraph clone = nullptr;
  if (driver_functions().cuGraphClone(&clone, entry.clone) != CUDA_SUCCESS) return nullptr;
  graph->graph.reset(clone);
  GraphWalk walk = walk_of(clone, bodies_);
  if (!walk.known || !same_operations(walk, entry.walk)) return nullptr;
  for (std::size_t i = 0; skips_host_functions_ && i < walk.nodes.size(); ++i) {
    if (walk.nodes[i]->call.kind == CallKind::host_function && !calls_nothing(walk.handles[i]))
      return nullptr;
  }
  graph->nodes = std::move(walk.handles);
  graph->flags = entry.flags & CUDA_GRAPH_INSTANTIATE_FLAG_USE_NODE_PRIORITY;
  return graph;
}

}  // namespace trilane
