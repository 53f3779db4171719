// Calls that make, change and release executable graphs.
#include "common/application/recorder/driver/driver_functions.hpp"
#include "common/application/recorder/driver/executable_graphs.hpp"
#include "common/application/recorder/driver/listened_call.hpp"

namespace trilane {
namespace {

constexpr char not_followed[] =
    "it changes an executable graph in a way that the recorder does not support";

template <typename Parameters>
void made(const void* parameters, ExecutableGraphs& graphs, ObservedCall& call) {
  const auto& p = *static_cast<const Parameters*>(parameters);
  unsigned long long flags = 0;
  if constexpr (requires { p.flags; }) flags = p.flags;
  if constexpr (requires { p.instantiateParams; }) flags = p.instantiateParams->flags;
  call.executable = number_of(*p.phGraphExec);
  graphs.made(*p.phGraphExec, p.hGraph, flags);
}

template <typename Parameters>
void updated(const void* parameters, ExecutableGraphs& graphs, ObservedCall& call) {
  const auto& p = *static_cast<const Parameters*>(parameters);
  call.executable = number_of(p.hGraphExec);
  graphs.updated(p.hGraphExec, p.hGraph);
  call.graph = graphs.what_is_in(p.hGraphExec);
}

template <typename Parameters>
void released(const void* parameters, ExecutableGraphs& graphs, ObservedCall& call) {
  const auto& p = *static_cast<const Parameters*>(parameters);
  call.executable = number_of(p.hGraphExec);
  graphs.released(p.hGraphExec);
}

CUDA_KERNEL_NODE_PARAMS latest(const CUDA_KERNEL_NODE_PARAMS& p) { return p; }
CUDA_KERNEL_NODE_PARAMS latest(const CUDA_KERNEL_NODE_PARAMS_v1& p) {
  return {.func = p.func,
          .gridDimX = p.gridDimX,
          .gridDimY = p.gridDimY,
          .gridDimZ = p.gridDimZ,
          .blockDimX = p.blockDimX,
          .blockDimY = p.blockDimY,
          .blockDimZ = p.blockDimZ,
          .sharedMemBytes = p.sharedMemBytes,
          .kernelParams = p.kernelParams,
          .extra = p.extra,
          .kern = nullptr,
          .ctx = nullptr};
}

/// Sets a node of a graph as the application has set that of the executable one.
template <typename Parameters>
CUresult set(CUgraphNode node, const Parameters& p) {
  const DriverFunctions& driver = driver_functions();
  if constexpr (std::is_same_v<Parameters, cuGraphExecNodeSetParams_params>) {
    return driver.cuGraphNodeSetParams(node, p.nodeParams);
  } else if constexpr (requires { p.copyParams; }) {
    return driver.cuGraphMemcpyNodeSetParams(node, p.copyParams);
  } else if constexpr (requires { p.memsetParams; }) {
    return driver.cuGraphMemsetNodeSetParams(node, p.memsetParams);
  } else {
    const CUDA_KERNEL_NODE_PARAMS kernel = latest(*p.nodeParams);
    return driver.cuGraphKernelNodeSetParams(node, &kernel);
  }
}

template <typename Parameters>
void node_set(const void* parameters, ExecutableGraphs& graphs, ObservedCall& call) {
  const auto& p = *static_cast<const Parameters*>(parameters);
  call.executable = number_of(p.hGraphExec);
  const auto changed =
      graphs.node_set(p.hGraphExec, p.hNode, [&](CUgraphNode node) { return set(node, p); });
  call.changed = changed.node;
  call.node = changed.number;
}

template <typename Parameters>
void lost(const void* parameters, ExecutableGraphs& graphs, ObservedCall& call) {
  const auto& p = *static_cast<const Parameters*>(parameters);
  call.executable = number_of(p.hGraphExec);
  graphs.lose(p.hGraphExec, not_followed);
}

#define TRILANE_GRAPH(function, follow)                                       \
  {                                                                           \
    .id = CUPTI_DRIVER_TRACE_CBID_##function, .kind = CallKind::change_graph, \
    .change = follow<function##_params>,                                      \
  }

const ListenedCall all[] = {
    TRILANE_GRAPH(cuGraphInstantiate, made),
    TRILANE_GRAPH(cuGraphInstantiate_v2, made),
    TRILANE_GRAPH(cuGraphInstantiateWithFlags, made),
    TRILANE_GRAPH(cuGraphInstantiateWithParams, made),
    TRILANE_GRAPH(cuGraphInstantiateWithParams_ptsz, made),
    TRILANE_GRAPH(cuGraphExecDestroy, released),
    TRILANE_GRAPH(cuGraphExecUpdate, updated),
    TRILANE_GRAPH(cuGraphExecUpdate_v2, updated),
    TRILANE_GRAPH(cuGraphExecKernelNodeSetParams, node_set),
    TRILANE_GRAPH(cuGraphExecKernelNodeSetParams_v2, node_set),
    TRILANE_GRAPH(cuGraphExecMemcpyNodeSetParams, node_set),
    TRILANE_GRAPH(cuGraphExecMemsetNodeSetParams, node_set),
    TRILANE_GRAPH(cuGraphExecNodeSetParams, node_set),
    TRILANE_GRAPH(cuGraphExecHostNodeSetParams, lost),
    TRILANE_GRAPH(cuGraphExecChildGraphNodeSetParams, lost),
    TRILANE_GRAPH(cuGraphExecEventRecordNodeSetEvent, lost),
    TRILANE_GRAPH(cuGraphExecEventWaitNodeSetEvent, lost),
    TRILANE_GRAPH(cuGraphExecExternalSemaphoresSignalNodeSetParams, lost),
    TRILANE_GRAPH(cuGraphExecExternalSemaphoresWaitNodeSetParams, lost),
    TRILANE_GRAPH(cuGraphExecBatchMemOpNodeSetParams, lost),
    TRILANE_GRAPH(cuGraphNodeSetEnabled, lost),
};

}  // namespace

std::span<const ListenedCall> listened_graphs() { return all; }

}  // namespace trilane
