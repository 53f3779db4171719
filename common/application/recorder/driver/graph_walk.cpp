#include "common/application/recorder/driver/executable_graphs.hpp"

#include "common/application/recorder/driver/copy_shape.hpp"
#include "common/application/recorder/driver/driver_surroundings.hpp"

namespace trilane {

namespace {

constexpr char has_host[] = "a node of its graph calls a function of the program on the host";
constexpr char has_event[] = "a node of its graph records an event or waits for one";
constexpr char has_semaphore[] = "a node of its graph is ordered with work outside the process";
constexpr char has_values[] = "a node of its graph waits for values in memory or writes them";
constexpr char has_condition[] = "its graph has a conditional node";
constexpr char has_other[] = "its graph has a node of a kind that the recorder does not support";

bool read_kernel(CUgraphNode node, ObservedNode& read) {
  CUDA_KERNEL_NODE_PARAMS p{};
  if (driver_functions().cuGraphKernelNodeGetParams(node, &p) != CUDA_SUCCESS) return false;
  ObservedLaunch& launch = read.call.launch;
  launch.function = p.func != nullptr ? reinterpret_cast<std::uint64_t>(p.func)
                                      : reinterpret_cast<std::uint64_t>(p.kern);
  set_geometry(launch, p);
  const auto arguments = gathered_arguments(launch.function, p.kernelParams, p.extra);
  read.arguments.assign(arguments.begin(), arguments.end());
  launch.arguments = read.arguments;
  return true;
}

bool read_copy(CUgraphNode node, ObservedCall& call) {
  CUDA_MEMCPY3D p{};
  if (driver_functions().cuGraphMemcpyNodeGetParams(node, &p) != CUDA_SUCCESS) return false;
  p.Height = std::max<std::size_t>(1, p.Height);
  p.Depth = std::max<std::size_t>(1, p.Depth);
  block_of(p, call);
  return true;
}

bool read_memset(CUgraphNode node, ObservedCall& call) {
  CUDA_MEMSET_NODE_PARAMS p{};
  if (driver_functions().cuGraphMemsetNodeGetParams(node, &p) != CUDA_SUCCESS) return false;
  call.destination = p.dst;
  call.value = p.value;
  call.value_bytes = p.elementSize;
  call.height = std::max<std::size_t>(1, p.height);
  call.bytes = p.width * p.elementSize * call.height;
  call.destination_pitch = call.height > 1 ? p.pitch : 0;
  return true;
}

bool read_allocation(CUgraphNode node, ObservedCall& call) {
  CUDA_MEM_ALLOC_NODE_PARAMS p{};
  if (driver_functions().cuGraphMemAllocNodeGetParams(node, &p) != CUDA_SUCCESS) return false;
  call.destination = p.dptr;
  call.bytes = p.bytesize;
  return true;
}

bool read_free(CUgraphNode node, ObservedCall& call) {
  CUdeviceptr address = 0;
  if (driver_functions().cuGraphMemFreeNodeGetParams(node, &address) != CUDA_SUCCESS) return false;
  call.destination = address;
  return true;
}

using Numbers = std::vector<std::uint32_t>;

struct Structure {
  std::vector<CUgraphNode> nodes;
  std::map<CUgraphNode, std::vector<CUgraphNode>> before;
};

bool read(CUgraph graph, Structure& structure) {
  const DriverFunctions& driver = driver_functions();
  std::size_t count = 0, links = 0;
  if (driver.cuGraphGetNodes(graph, nullptr, &count) != CUDA_SUCCESS) return false;
  structure.nodes.resize(count);
  if (count > 0 && driver.cuGraphGetNodes(graph, structure.nodes.data(), &count) != CUDA_SUCCESS)
    return false;
  if (driver.cuGraphGetEdges(graph, nullptr, nullptr, nullptr, &links) != CUDA_SUCCESS)
    return false;
  std::vector<CUgraphNode> from(links), to(links);
  std::vector<CUgraphEdgeData> data(links);
  if (links > 0 &&
      driver.cuGraphGetEdges(graph, from.data(), to.data(), data.data(), &links) != CUDA_SUCCESS)
    return false;
  for (std::size_t i = 0; i < links; ++i) structure.before[to[i]].push_back(from[i]);
  return true;
}

class Walker {
 public:
  explicit Walker(const ConditionalBodies& bodies) : bodies_(bodies) {}

  /// Adds a graph whose first nodes follow `after`. Returns the numbers of its last operations.
  Numbers add(CUgraph graph, const Numbers& after) {
    Structure structure;
    if (!read(graph, structure)) walk.known = false;
    std::map<CUgraphNode, Numbers> ends;
    std::set<CUgraphNode> with_later;
    std::vector<CUgraphNode> left = structure.nodes;
    while (walk.known && !left.empty()) {
      const auto ready = [&](CUgraphNode node) {
        return std::ranges::all_of(structure.before[node],
                                   [&](CUgraphNode one) { return ends.contains(one); });
      };
      std::vector<CUgraphNode> waiting;
      for (const CUgraphNode node : left) {
        if (!ready(node)) {
          waiting.push_back(node);
          continue;
        }
        Numbers follows = structure.before[node].empty() ? after : Numbers();
        for (const CUgraphNode one : structure.before[node]) {
          with_later.insert(one);
          follows.insert(follows.end(), ends[one].begin(), ends[one].end());
        }
        ends[node] = add_node(node, std::move(follows));
      }
      if (waiting.size() == left.size()) walk.known = false;
      left = std::move(waiting);
    }
    Numbers last = structure.nodes.empty() ? after : Numbers();
    for (const auto& [node, numbers] : ends) {
      if (!with_later.contains(node)) last.insert(last.end(), numbers.begin(), numbers.end());
    }
    return last;
  }

  GraphWalk walk;

 private:
  /// Returns the operations that must be done before the node counts as done.
  Numbers add_node(CUgraphNode node, Numbers after) {
    const DriverFunctions& driver = driver_functions();
    std::ranges::sort(after);
    const auto doubles = std::ranges::unique(after);
    after.erase(doubles.begin(), doubles.end());
    CUgraphNodeType type{};
    CUgraph child = nullptr;
    if (driver.cuGraphNodeGetType(node, &type) != CUDA_SUCCESS) walk.known = false;
    if (!walk.known || type == CU_GRAPH_NODE_TYPE_EMPTY) return after;
    if (type == CU_GRAPH_NODE_TYPE_GRAPH) {
      if (driver.cuGraphChildGraphNodeGetGraph(node, &child) == CUDA_SUCCESS)
        return add(child, after);
      walk.known = false;
      return after;
    }
    const auto bodies = bodies_.find(node);
    const bool decides = type == CU_GRAPH_NODE_TYPE_CONDITIONAL && bodies != bodies_.end();
    const auto read = node_in(node, type, std::move(after));
    if (read == nullptr) {
      walk.known = false;
      return {};
    }
    if (decides) read->call.refusal = nullptr;
    walk.handles.push_back(node);
    walk.nodes.push_back(read);
    const Numbers first{static_cast<std::uint32_t>(walk.nodes.size() - 1)};
    if (!decides) return first;
    Numbers last = first;
    for (const CUgraph body : bodies->second) {
      const Numbers ends = add(body, first);
      last.insert(last.end(), ends.begin(), ends.end());
    }
    return last;
  }

  const ConditionalBodies& bodies_;
};

}  // namespace

std::shared_ptr<ObservedNode> node_in(CUgraphNode node, CUgraphNodeType type,
                                      std::vector<std::uint32_t> after) {
  const auto read = std::make_shared<ObservedNode>();
  read->after = std::move(after);
  ObservedCall& call = read->call;
  const auto is = [&](CallKind kind, bool known) {
    call.kind = kind;
    return known;
  };
  const auto refused = [&](CallKind kind, const char* why) {
    call.refusal = why;
    return is(kind, true);
  };
  const auto known = [&] {
    switch (type) {
      case CU_GRAPH_NODE_TYPE_KERNEL: return is(CallKind::kernel, read_kernel(node, *read));
      case CU_GRAPH_NODE_TYPE_MEMCPY: return is(CallKind::copy, read_copy(node, call));
      case CU_GRAPH_NODE_TYPE_MEMSET: return is(CallKind::memset, read_memset(node, call));
      case CU_GRAPH_NODE_TYPE_HOST: return refused(CallKind::host_function, has_host);
      case CU_GRAPH_NODE_TYPE_WAIT_EVENT: return refused(CallKind::other, has_event);
      case CU_GRAPH_NODE_TYPE_EVENT_RECORD: return refused(CallKind::other, has_event);
      case CU_GRAPH_NODE_TYPE_EXT_SEMAS_SIGNAL:
      case CU_GRAPH_NODE_TYPE_EXT_SEMAS_WAIT: return refused(CallKind::other, has_semaphore);
      case CU_GRAPH_NODE_TYPE_MEM_ALLOC:
        return is(CallKind::allocate_async, read_allocation(node, call));
      case CU_GRAPH_NODE_TYPE_MEM_FREE: return is(CallKind::free_async, read_free(node, call));
      case CU_GRAPH_NODE_TYPE_BATCH_MEM_OP: return refused(CallKind::other, has_values);
      case CU_GRAPH_NODE_TYPE_CONDITIONAL: return refused(CallKind::other, has_condition);
      default: return refused(CallKind::other, has_other);
    }
  };
  return known() ? read : nullptr;
}

GraphWalk walk_of(CUgraph graph, const ConditionalBodies& bodies) {
  Walker walker(bodies);
  walker.add(graph, {});
  return std::move(walker.walk);
}

}  // namespace trilane
