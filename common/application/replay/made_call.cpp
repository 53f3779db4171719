#include "common/application/replay/made_call.hpp"

#include <boost/container/small_vector.hpp>

#include "common/application/iteration/observed_call.hpp"

namespace trilane {

namespace {

/// Throws std::logic_error if the call is no operation.
StreamOperation operation_of(const ReplayedCall& call) {
  const auto operation =
      traits_of(call.kind == CallKind::change_graph ? call.changed : call.kind).operation;
  if (operation) return *operation;
  throw std::logic_error("only kernels, copies, memsets and graphs are operations");
}

CUdeviceptr address_of(const MovingAddress& moving, const Allocations& allocations) {
  return allocations[moving.allocation] + moving.offset;
}

using Parameters = boost::container::small_vector<void*, 32>;  // no allocation in a launch

/// Returns a launch's parameters as the driver takes them; valid while `call` is.
Parameters parameters_of(ReplayedCall& call) {
  Parameters parameters;
  for (const std::size_t at : call.parameters) parameters.push_back(call.arguments.data() + at);
  return parameters;
}

/// Copies the geometry of a launch into the structure of a call or of a node.
void put_shape(const ReplayedCall& call, auto& to) {
  to.gridDimX = call.grid[0];
  to.gridDimY = call.grid[1];
  to.gridDimZ = call.grid[2];
  to.blockDimX = call.block[0];
  to.blockDimY = call.block[1];
  to.blockDimZ = call.block[2];
  to.sharedMemBytes = call.shared_bytes;
}

void launch(ReplayedCall& call) {
  Parameters parameters = parameters_of(call);
  if (call.attributes.empty()) {
    return TRILANE_DRIVER(cuLaunchKernel, call.function, call.grid[0], call.grid[1], call.grid[2],
                          call.block[0], call.block[1], call.block[2], call.shared_bytes,
                          call.stream, parameters.data(), nullptr);
  }
  CUlaunchConfig config{};
  put_shape(call, config);
  config.hStream = call.stream;
  config.attrs = call.attributes.data();
  config.numAttrs = static_cast<unsigned>(call.attributes.size());
  TRILANE_DRIVER(cuLaunchKernelEx, &config, call.function, parameters.data(), nullptr);
}

void copy_batch(ReplayedCall& call) {
  constexpr std::size_t usual = 32;  // without an allocation
  boost::container::small_vector<CUdeviceptr, usual> to, from;
  boost::container::small_vector<std::size_t, usual> bytes;
  for (const ReplayedCall& copy : call.copies) {
    to.push_back(copy.destination);
    from.push_back(copy.source);
    bytes.push_back(copy.bytes);
  }
  TRILANE_DRIVER(cuMemcpyBatchAsync, to.data(), from.data(), bytes.data(), bytes.size(),
                 call.copy_attributes.data(), call.attributes_hold_from.data(),
                 call.copy_attributes.size(), call.stream);
}

void copy(ReplayedCall& call) {
  if (!call.copies.empty()) return copy_batch(call);
  if (call.height == 1) {
    if (call.waits) return TRILANE_DRIVER(cuMemcpy, call.destination, call.source, call.bytes);
    return TRILANE_DRIVER(cuMemcpyAsync, call.destination, call.source, call.bytes, call.stream);
  }
  if (call.depth > 1) {
    const CUDA_MEMCPY3D block = block_of(call);
    if (call.waits) return TRILANE_DRIVER(cuMemcpy3D, &block);
    return TRILANE_DRIVER(cuMemcpy3DAsync, &block, call.stream);
  }
  const CUDA_MEMCPY2D plane = plane_of(call);
  if (call.waits) return TRILANE_DRIVER(cuMemcpy2DUnaligned, &plane);
  TRILANE_DRIVER(cuMemcpy2DAsync, &plane, call.stream);
}

void set(const ReplayedCall& call) {
  const CUDA_MEMSET_NODE_PARAMS p = memset_of(call);
  const auto byte = static_cast<unsigned char>(p.value);
  const auto half = static_cast<unsigned short>(p.value);
  const CUdeviceptr to = call.destination;
  const bool rows = p.height > 1;
  switch (p.elementSize) {
    case 1:
      if (!rows) return TRILANE_DRIVER(cuMemsetD8Async, to, byte, p.width, call.stream);
      return TRILANE_DRIVER(cuMemsetD2D8Async, to, p.pitch, byte, p.width, p.height, call.stream);
    case 2:
      if (!rows) return TRILANE_DRIVER(cuMemsetD16Async, to, half, p.width, call.stream);
      return TRILANE_DRIVER(cuMemsetD2D16Async, to, p.pitch, half, p.width, p.height, call.stream);
    default:
      if (!rows) return TRILANE_DRIVER(cuMemsetD32Async, to, p.value, p.width, call.stream);
      return TRILANE_DRIVER(cuMemsetD2D32Async, to, p.pitch, p.value, p.width, p.height,
                            call.stream);
  }
}

CUDA_KERNEL_NODE_PARAMS kernel_node(const ReplayedCall& call, Parameters& parameters) {
  CUDA_KERNEL_NODE_PARAMS node{};
  node.func = call.node_function;
  put_shape(call, node);
  node.kernelParams = parameters.data();
  return node;
}

/// Adds edges as a capture does for a launch with programmatic stream serialization.
void add_programmatic(CUgraph graph, const std::vector<CUgraphNode>& from, CUgraphNode to) {
  CUgraphEdgeData edge{};
  edge.from_port = CU_GRAPH_KERNEL_NODE_PORT_PROGRAMMATIC;
  edge.type = CU_GRAPH_DEPENDENCY_TYPE_PROGRAMMATIC;
  const std::vector<CUgraphNode> to_each(from.size(), to);
  const std::vector<CUgraphEdgeData> edges(from.size(), edge);
  TRILANE_DRIVER(cuGraphAddDependencies, graph, from.data(), to_each.data(), edges.data(),
                 from.size());
}

CUgraphNode add_kernel(CUgraph graph, ReplayedCall& call, const NodesBefore& before) {
  Parameters parameters = parameters_of(call);
  const CUDA_KERNEL_NODE_PARAMS kernel = kernel_node(call, parameters);
  const std::size_t full = before.programmatic ? 0 : before.nodes.size();
  CUgraphNode node = nullptr;
  TRILANE_DRIVER(cuGraphAddKernelNode, &node, graph, before.nodes.data(), full, &kernel);
  for (const CUlaunchAttribute& attribute : call.node_attributes) {
    TRILANE_DRIVER(cuGraphKernelNodeSetAttribute, node, attribute.id, &attribute.value);
  }
  if (before.programmatic) add_programmatic(graph, before.nodes, node);
  return node;
}

}  // namespace

void settle(ReplayedCall& call, const Allocations& allocations) {
  for (ReplayedCall& copy : call.copies) settle(copy, allocations);
  if (call.moving_destination) call.destination = address_of(*call.moving_destination, allocations);
  if (call.moving_source) call.source = address_of(*call.moving_source, allocations);
  for (const MovingArgument& argument : call.moving) {
    const CUdeviceptr address = address_of(argument.address, allocations);
    std::memcpy(call.arguments.data() + argument.at, &address, sizeof address);
  }
}

void issue_operation(ReplayedCall& call) {
  switch (operation_of(call)) {
    case StreamOperation::kernel: return launch(call);
    case StreamOperation::copy: return copy(call);
    case StreamOperation::memset: return set(call);
    case StreamOperation::graph: throw std::logic_error("a graph is launched as an executable one");
  }
}

CUgraphNode add_node(CUgraph graph, ReplayedCall& call, const NodesBefore& before,
                     CUcontext context) {
  const std::vector<CUgraphNode>& after = before.nodes;
  CUgraphNode node = nullptr;
  switch (operation_of(call)) {
    case StreamOperation::kernel: return add_kernel(graph, call, before);
    case StreamOperation::copy: {
      const CUDA_MEMCPY3D block = block_of(call);
      TRILANE_DRIVER(cuGraphAddMemcpyNode, &node, graph, after.data(), after.size(), &block,
                     context);
      break;
    }
    case StreamOperation::memset: {
      const CUDA_MEMSET_NODE_PARAMS memset = memset_of(call);
      TRILANE_DRIVER(cuGraphAddMemsetNode, &node, graph, after.data(), after.size(), &memset,
                     context);
      break;
    }
    case StreamOperation::graph:
      TRILANE_DRIVER(cuGraphAddChildGraphNode, &node, graph, after.data(), after.size(),
                     call.graph);
      break;
  }
  return node;
}

void set_node(CUgraphExec graph, CUgraphNode node, ReplayedCall& call, CUcontext context) {
  switch (operation_of(call)) {
    case StreamOperation::kernel: {
      Parameters parameters = parameters_of(call);
      const CUDA_KERNEL_NODE_PARAMS kernel = kernel_node(call, parameters);
      return TRILANE_DRIVER(cuGraphExecKernelNodeSetParams, graph, node, &kernel);
    }
    case StreamOperation::copy: {
      const CUDA_MEMCPY3D block = block_of(call);
      return TRILANE_DRIVER(cuGraphExecMemcpyNodeSetParams, graph, node, &block, context);
    }
    case StreamOperation::memset: {
      const CUDA_MEMSET_NODE_PARAMS memset = memset_of(call);
      return TRILANE_DRIVER(cuGraphExecMemsetNodeSetParams, graph, node, &memset, context);
    }
    case StreamOperation::graph:
      return TRILANE_DRIVER(cuGraphExecChildGraphNodeSetParams, graph, node, call.graph);
  }
}

double wait_until(double us, double now_us) {
  while (now_us < us) now_us = recorder_now_us();
  return now_us;
}

}  // namespace trilane
