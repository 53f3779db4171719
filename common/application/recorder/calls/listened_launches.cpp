#include <cstring>

#include "common/application/recorder/calls/listened_call.hpp"
#include "common/application/recorder/driver/launch_parameters.hpp"

namespace trilane {
namespace {

constexpr char needs_host[] = "it calls a function of the program on the host";

/// FNV-1a.
std::uint64_t mixed(std::uint64_t hash, const void* bytes, std::size_t count) {
  const auto* const all = static_cast<const unsigned char*>(bytes);
  for (std::size_t i = 0; i < count; ++i) hash = (hash ^ all[i]) * 0x100000001b3;
  return hash;
}

/// The bytes of an attribute's value that count: the rest of the union is whatever the program left
/// there.
std::size_t bytes_of(CUlaunchAttributeID id) {
  switch (id) {
    case CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION: return 3 * sizeof(unsigned);
    case CU_LAUNCH_ATTRIBUTE_COOPERATIVE:
    case CU_LAUNCH_ATTRIBUTE_PRIORITY:
    case CU_LAUNCH_ATTRIBUTE_CLUSTER_SCHEDULING_POLICY_PREFERENCE:
    case CU_LAUNCH_ATTRIBUTE_PROGRAMMATIC_STREAM_SERIALIZATION: return sizeof(unsigned);
    default: return 0;
  }
}

std::uint64_t fingerprint(const CUlaunchConfig& config) {
  if (config.numAttrs == 0) return 0;
  std::uint64_t hash = 0xcbf29ce484222325;
  for (unsigned i = 0; i < config.numAttrs; ++i) {
    const CUlaunchAttribute& attribute = config.attrs[i];
    hash = mixed(hash, &attribute.id, sizeof attribute.id);
    hash = mixed(hash, &attribute.value, bytes_of(attribute.id));
  }
  return hash;
}

const char* refusal_of(const CUlaunchConfig& config) {
  for (unsigned i = 0; i < config.numAttrs; ++i) {
    const CUlaunchAttributeID id = config.attrs[i].id;
    if (id == CU_LAUNCH_ATTRIBUTE_PROGRAMMATIC_EVENT ||
        id == CU_LAUNCH_ATTRIBUTE_LAUNCH_COMPLETION_EVENT)
      return "its kernel records an event";
  }
  return nullptr;
}

/// A launch whose geometry the parameters or a CUlaunchConfig hold.
template <typename Geometry>
void shape(const Geometry& from, ObservedCall& call) {
  call.launch.grid[0] = from.gridDimX;
  call.launch.grid[1] = from.gridDimY;
  call.launch.grid[2] = from.gridDimZ;
  call.launch.block[0] = from.blockDimX;
  call.launch.block[1] = from.blockDimY;
  call.launch.block[2] = from.blockDimZ;
  call.launch.shared_bytes = from.sharedMemBytes;
  call.stream = number_of(from.hStream);
}

template <typename Parameters>
void launch(const void* parameters, ObservedCall& call) {
  const auto& p = *static_cast<const Parameters*>(parameters);
  void** extra = nullptr;
  if constexpr (requires { p.extra; }) extra = p.extra;
  if constexpr (requires { p.config; }) {
    shape(*p.config, call);
    call.launch.attributes = fingerprint(*p.config);
    call.refusal = refusal_of(*p.config);
  } else {
    shape(p, call);
    if constexpr (!requires { p.extra; }) call.launch.attributes = 1;  // cooperative
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
      const auto& config = *static_cast<const cuLaunchKernelEx_params*>(parameters)->config;
      return {config.attrs, config.attrs + config.numAttrs};
    }
    case CUPTI_DRIVER_TRACE_CBID_cuLaunchCooperativeKernel:
    case CUPTI_DRIVER_TRACE_CBID_cuLaunchCooperativeKernel_ptsz: {
      CUlaunchAttribute cooperative{};
      cooperative.id = CU_LAUNCH_ATTRIBUTE_COOPERATIVE;
      cooperative.value.cooperative = 1;
      return {cooperative};
    }
    default: return {};
  }
}

}  // namespace trilane
