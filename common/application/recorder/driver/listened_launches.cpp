// Launches of kernels and graphs, and calls that make, change and release executable graphs.
#include "common/application/recorder/driver/driver_surroundings.hpp"
#include "common/application/recorder/driver/executable_graphs.hpp"
#include "common/application/recorder/driver/listened_call.hpp"

namespace trilane {
namespace {

constexpr char needs_host[] =
    "it calls a function of the program on the host; --skip-host-functions replays the rest";
constexpr char not_followed[] =
    "it changes an executable graph in a way that the recorder does not support";

std::span<const CUlaunchAttribute> attributes_in(const CUlaunchConfig& config) {
  return {config.attrs, config.numAttrs};
}

CUlaunchAttribute cooperative() {
  CUlaunchAttribute attribute{};
  attribute.id = CU_LAUNCH_ATTRIBUTE_COOPERATIVE;
  attribute.value.cooperative = 1;
  return attribute;
}

const char* refusal_of(const CUlaunchConfig& config) {
  for (const CUlaunchAttribute& attribute : attributes_in(config)) {
    if (kept_by_capture(attribute.id) == AttributeKept::as_event) {
      return "its kernel records an event";
    }
  }
  return nullptr;
}

void launch(const auto& p, ObservedCall& call) {
  void** extra = nullptr;
  if constexpr (requires { p.extra; }) extra = p.extra;
  if constexpr (requires { p.config; }) {
    set_geometry(call.launch, *p.config);
    call.stream = number_of(p.config->hStream);
    call.launch.attributes = recorded_attributes(attributes_in(*p.config));
    call.refusal = refusal_of(*p.config);
  } else {
    set_geometry(call.launch, p);
    call.stream = number_of(p.hStream);
    if constexpr (!requires { p.extra; }) {
      call.launch.attributes = recorded_attributes(std::array{cooperative()});
    }
  }
  call.launch.function = number_of(p.f);
  call.launch.arguments = gathered_arguments(call.launch.function, p.kernelParams, extra);
}

void graph(const auto& p, ObservedCall& call) {
  static_assert(requires { p.hGraph; } || requires { p.hGraphExec; });
  if constexpr (requires { p.hGraph; }) call.executable = number_of(p.hGraph);
  if constexpr (requires { p.hGraphExec; }) call.executable = number_of(p.hGraphExec);
  call.stream = stream_in(p);
}

void made(const auto& p, ExecutableGraphs& graphs, ObservedCall& call) {
  unsigned long long flags = 0;
  if constexpr (requires { p.flags; }) flags = p.flags;
  if constexpr (requires { p.instantiateParams; }) flags = p.instantiateParams->flags;
  call.executable = number_of(*p.phGraphExec);
  graphs.made(*p.phGraphExec, p.hGraph, flags);
}

void updated(const auto& p, ExecutableGraphs& graphs, ObservedCall& call) {
  call.executable = number_of(p.hGraphExec);
  graphs.updated(p.hGraphExec, p.hGraph);
  call.graph = graphs.what_is_in(p.hGraphExec);
}

void released(const auto& p, ExecutableGraphs& graphs, ObservedCall& call) {
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

void node_set(const auto& p, ExecutableGraphs& graphs, ObservedCall& call) {
  call.executable = number_of(p.hGraphExec);
  const auto changed =
      graphs.node_set(p.hGraphExec, p.hNode, [&](CUgraphNode node) { return set(node, p); });
  call.changed = changed.node;
  call.node = changed.number;
}

void lost(const auto& p, ExecutableGraphs& graphs, ObservedCall& call) {
  call.executable = number_of(p.hGraphExec);
  graphs.lose(p.hGraphExec, not_followed);
}

/// Notes the graphs of a conditional node, which cannot be asked for later.
void node_added(const auto& p, ExecutableGraphs& graphs, ObservedCall&) {
  if (p.nodeParams->type != CU_GRAPH_NODE_TYPE_CONDITIONAL) return;
  const CUDA_CONDITIONAL_NODE_PARAMS& node = p.nodeParams->conditional;
  graphs.decides(*p.phGraphNode, {node.phGraph_out, node.phGraph_out + node.size});
}

#define TRILANE_NODE(function)                                                  \
  {                                                                             \
    .id = CUPTI_DRIVER_TRACE_CBID_##function, .effect = Effect::prepares_graph, \
    .change = typed<function##_params, node_added<function##_params>>,          \
  }

#define TRILANE_GRAPH(function, follow)                                                        \
  {                                                                                            \
    .id = CUPTI_DRIVER_TRACE_CBID_##function, .kind = CallKind::change_graph,                  \
    .change = typed<function##_params, follow<function##_params>>, .graph = GraphCall::follow, \
  }

const ListenedCall all[] = {
    TRILANE_CALLS(cuLaunchKernel, _ptsz, launch, CallKind::kernel),
    TRILANE_CALLS(cuLaunchKernelEx, _ptsz, launch, CallKind::kernel),
    TRILANE_CALLS(cuLaunchCooperativeKernel, _ptsz, launch, CallKind::kernel),
    TRILANE_CALLS(cuGraphLaunch, _ptsz, graph, CallKind::graph_launch, nullptr, false,
                  Effect::observed, false, nullptr, GraphCall::launched),
    TRILANE_CALLS(cuGraphUpload, _ptsz, graph, CallKind::other, nullptr, false,
                  Effect::prepares_graph, false, nullptr, GraphCall::uploaded),
    TRILANE_CALLS(cuLaunchHostFunc, _ptsz, read_handles, CallKind::host_function, needs_host),
    TRILANE_CALLS(cuStreamAddCallback, _ptsz, read_handles, CallKind::host_function, needs_host),
    TRILANE_NODE(cuGraphAddNode),
    TRILANE_NODE(cuGraphAddNode_v2),
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

std::span<const ListenedCall> listened_launches() { return all; }

std::vector<CUlaunchAttribute> attributes_of(const ListenedCall& launch, const void* parameters) {
  switch (launch.id) {
    case CUPTI_DRIVER_TRACE_CBID_cuLaunchKernelEx:
    case CUPTI_DRIVER_TRACE_CBID_cuLaunchKernelEx_ptsz: {
      const auto all =
          attributes_in(*static_cast<const cuLaunchKernelEx_params*>(parameters)->config);
      return {all.begin(), all.end()};
    }
    case CUPTI_DRIVER_TRACE_CBID_cuLaunchCooperativeKernel:
    case CUPTI_DRIVER_TRACE_CBID_cuLaunchCooperativeKernel_ptsz: return {cooperative()};
    default: return {};
  }
}

}  // namespace trilane
