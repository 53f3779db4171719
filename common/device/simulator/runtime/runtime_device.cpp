// The one simulated device, as its profile describes it.
#include <algorithm>
#include <cstring>
#include <string_view>

#include "common/device/simulator/machine/call.hpp"
#include "common/device/simulator/machine/capture.hpp"
#include "common/device/simulator/not_modelled/not_modelled.hpp"

using namespace trilane;
using namespace trilane::simulator;

namespace {

constexpr std::string_view pci_bus_id = "0000:00:00.0";

// The same for every GPU since Kepler, or without effect on what is modelled.
constexpr int warp_size = 32, most_threads = 1024, most_grid_x = 2147483647, most_grid_yz = 65535;
constexpr std::size_t shared_bytes = 49152;

void check_device(int device) {
  if (device != 0) refuse(cudaErrorInvalidDevice);
}

/// For queries that do not involve the device: they work even after a sticky error.
template <typename Body>
cudaError_t ask(const char* name, Body body) noexcept {
  if (in_host_function()) return refuse_in_host_function(name);
  Machine& m = machine();
  const Hold hold(m);
  const bool lost = m.sticky != cudaSuccess;
  const cudaError_t code = enter(m, name, InCapture::allowed);
  if (code != cudaSuccess && !lost) return leave(m, code);
  return leave(m, body(m) ? cudaSuccess : cudaErrorInvalidValue);
}

cudaDeviceProp describe(const Profile& profile) {
  cudaDeviceProp properties{};
  profile.name.copy(properties.name, sizeof properties.name - 1);
  properties.major = profile.compute_major;
  properties.minor = profile.compute_minor;
  properties.multiProcessorCount = profile.multiprocessors;
  properties.totalGlobalMem = profile.memory_bytes;
  properties.sharedMemPerBlock = shared_bytes;
  properties.warpSize = warp_size;
  properties.maxThreadsPerBlock = most_threads;
  std::ranges::copy(std::array{most_threads, most_threads, 64}, properties.maxThreadsDim);
  std::ranges::copy(std::array{most_grid_x, most_grid_yz, most_grid_yz}, properties.maxGridSize);
  properties.asyncEngineCount = 2;
  properties.concurrentKernels = 1;
  properties.unifiedAddressing = 1;
  properties.canMapHostMemory = 1;
  properties.canUseHostPointerForRegisteredMem = 1;
  properties.hostRegisterSupported = 1;
  properties.memoryPoolsSupported = 1;
  return properties;
}

int attribute(const Profile& profile, cudaDeviceAttr name) {
  const cudaDeviceProp properties = describe(profile);
  switch (name) {
    case cudaDevAttrComputeCapabilityMajor: return properties.major;
    case cudaDevAttrComputeCapabilityMinor: return properties.minor;
    case cudaDevAttrMultiProcessorCount: return properties.multiProcessorCount;
    case cudaDevAttrWarpSize: return properties.warpSize;
    case cudaDevAttrMaxThreadsPerBlock: return properties.maxThreadsPerBlock;
    case cudaDevAttrAsyncEngineCount: return properties.asyncEngineCount;
    case cudaDevAttrConcurrentKernels: return properties.concurrentKernels;
    case cudaDevAttrUnifiedAddressing: return properties.unifiedAddressing;
    case cudaDevAttrCanMapHostMemory: return properties.canMapHostMemory;
    case cudaDevAttrHostRegisterSupported: return properties.hostRegisterSupported;
    case cudaDevAttrMemoryPoolsSupported: return properties.memoryPoolsSupported;
    case cudaDevAttrCanUseHostPointerForRegisteredMem:
      return properties.canUseHostPointerForRegisteredMem;
    case cudaDevAttrPageableMemoryAccess: return properties.pageableMemoryAccess;
    default: refuse_not_modelled("this attribute of cudaDeviceGetAttribute");
  }
}

/// How the host waits, which makes no difference in virtual time. CUDA Runtime API, Device
/// Management, cudaSetDeviceFlags: at most one way to wait.
bool are_valid(unsigned flags) {
  if ((flags & ~unsigned{cudaDeviceMask}) != 0) return false;
  switch (flags & cudaDeviceScheduleMask) {
    case cudaDeviceScheduleAuto:
    case cudaDeviceScheduleSpin:
    case cudaDeviceScheduleYield:
    case cudaDeviceScheduleBlockingSync: return true;
    default: return false;
  }
}

}  // namespace

cudaError_t CUDARTAPI cudaGetDeviceCount(int* count) {
  return answer("cudaGetDeviceCount", count, [](Machine&) { return 1; });
}

cudaError_t CUDARTAPI cudaSetDevice(int device) {
  return call("cudaSetDevice", [&](Machine&) { check_device(device); });
}

cudaError_t CUDARTAPI cudaGetDevice(int* device) {
  return answer("cudaGetDevice", device, [](Machine&) { return 0; });
}

cudaError_t CUDARTAPI cudaGetDeviceProperties(cudaDeviceProp* properties, int device) {
  return answer("cudaGetDeviceProperties", properties, [&](Machine& m) {
    check_device(device);
    return describe(m.settings.profile);
  });
}

cudaError_t CUDARTAPI cudaDeviceGetAttribute(int* value, cudaDeviceAttr name, int device) {
  return answer("cudaDeviceGetAttribute", value, [&](Machine& m) {
    check_device(device);
    return attribute(m.settings.profile, name);
  });
}

cudaError_t CUDARTAPI cudaDeviceGetPCIBusId(char* text, int length, int device) {
  return call("cudaDeviceGetPCIBusId", [&](Machine&) {
    const auto needed = static_cast<int>(pci_bus_id.size()) + 1;
    if (text == nullptr || length < needed) refuse(cudaErrorInvalidValue);
    check_device(device);
    std::memcpy(text, pci_bus_id.data(), pci_bus_id.size() + 1);
  });
}

cudaError_t CUDARTAPI cudaDriverGetVersion(int* version) {
  return ask("cudaDriverGetVersion", [&](Machine& m) {
    if (version != nullptr) *version = m.settings.profile.driver_version;
    return version != nullptr;
  });
}

cudaError_t CUDARTAPI cudaRuntimeGetVersion(int* version) {
  return ask("cudaRuntimeGetVersion", [&](Machine&) {
    if (version != nullptr) *version = CUDART_VERSION;
    return version != nullptr;
  });
}

// Only makes a value: involves no device, and cannot fail.
cudaChannelFormatDesc CUDARTAPI cudaCreateChannelDesc(int x, int y, int z, int w,
                                                      cudaChannelFormatKind kind) {
  return {x, y, z, w, kind};
}

cudaError_t CUDARTAPI cudaSetDeviceFlags(unsigned flags) {
  return call("cudaSetDeviceFlags", [&](Machine& m) {
    require(are_valid(flags));
    m.device_flags = flags;
  });
}

cudaError_t CUDARTAPI cudaGetDeviceFlags(unsigned* flags) {
  return answer("cudaGetDeviceFlags", flags, [](Machine& m) {
    return m.device_flags | cudaDeviceMapHost;  // implicit for the runtime
  });
}

cudaError_t CUDARTAPI cudaDeviceSynchronize() {
  return call("cudaDeviceSynchronize", [](Machine& m) {
    forbid_in_any_capture(m);
    m.wait_for_device();
  });
}
