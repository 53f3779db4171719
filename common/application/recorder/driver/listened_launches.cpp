#include <array>

#include "common/application/recorder/driver/launch_parameters.hpp"
#include "common/application/recorder/driver/listened_call.hpp"
#include "common/application/replay/iteration/kept_attributes.hpp"

namespace trilane {
namespace {

constexpr char needs_host[] = "it calls a function of the program on the host";

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

template <typename Parameters>
void launch(const void* parameters, ObservedCall& call) {
  const auto& p = *static_cast<const Parameters*>(parameters);
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

template <typename Parameters>
void graph(const void* parameters, ObservedCall& call) {
  const auto& p = *static_cast<const Parameters*>(parameters);
  if constexpr (requires { p.hGraph; }) {
    call.executable = number_of(p.hGraph);
  } else {
    call.executable = number_of(p.hGraphExec);
  }
  call.stream = stream_in(p);
}

template <typename Parameters>
void on_host(const void* parameters, ObservedCall& call) {
  call.stream = stream_in(*static_cast<const Parameters*>(parameters));
}

constexpr auto legacy = DefaultStream::legacy, per_thread = DefaultStream::per_thread;

const ListenedCall all[] = {
    {TRILANE_CALL(cuLaunchKernel, launch), CallKind::kernel, legacy},
    {TRILANE_CALL(cuLaunchKernel_ptsz, launch), CallKind::kernel, per_thread},
    {TRILANE_CALL(cuLaunchKernelEx, launch), CallKind::kernel, legacy},
    {TRILANE_CALL(cuLaunchKernelEx_ptsz, launch), CallKind::kernel, per_thread},
    {TRILANE_CALL(cuLaunchCooperativeKernel, launch), CallKind::kernel, legacy},
    {TRILANE_CALL(cuLaunchCooperativeKernel_ptsz, launch), CallKind::kernel, per_thread},
    {TRILANE_CALL(cuGraphLaunch, graph), CallKind::graph_launch, legacy},
    {TRILANE_CALL(cuGraphLaunch_ptsz, graph), CallKind::graph_launch, per_thread},
    {TRILANE_CALL(cuLaunchHostFunc, on_host), CallKind::host_function, legacy, needs_host},
    {TRILANE_CALL(cuLaunchHostFunc_ptsz, on_host), CallKind::host_function, per_thread, needs_host},
    {TRILANE_CALL(cuStreamAddCallback, on_host), CallKind::host_function, legacy, needs_host},
    {TRILANE_CALL(cuStreamAddCallback_ptsz, on_host), CallKind::host_function, per_thread,
     needs_host},
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
