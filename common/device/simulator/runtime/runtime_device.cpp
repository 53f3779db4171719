// The simulated devices by their profile, their access to each other, and errors of earlier calls.
#include "common/device/simulator/machine/call.hpp"
#include "common/device/simulator/machine/graphs.hpp"
#include "common/device/simulator/machine/pool.hpp"

using namespace trilane;
using namespace trilane::simulator;

namespace {

// The same for every GPU since Kepler, or irrelevant to the model.
constexpr int warp_size = 32, most_threads = 1024, most_grid_x = 2147483647, most_grid_yz = 65535;
constexpr std::size_t shared_bytes = 49152;

std::string pci_bus_id_of(const Gpu& device) {
  return fmt::format("0000:{:02x}:00.0", device.number);
}

cudaDeviceProp describe(const Profile& profile, const Gpu& device) {
  cudaDeviceProp properties{};
  profile.name.copy(properties.name, sizeof properties.name - 1);
  fmt::format("simulated {:>6}", device.number).copy(properties.uuid.bytes, sizeof properties.uuid);
  properties.pciBusID = device.number;
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

int attribute(const cudaDeviceProp& properties, cudaDeviceAttr name) {
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
    case cudaDevAttrPciBusId: return properties.pciBusID;
    case cudaDevAttrPciDeviceId: return properties.pciDeviceID;
    case cudaDevAttrPciDomainId: return properties.pciDomainID;
    case cudaDevAttrComputeMode: return cudaComputeModeDefault;
    case cudaDevAttrMemoryPoolsSupported: return properties.memoryPoolsSupported;
    case cudaDevAttrCanUseHostPointerForRegisteredMem:
      return properties.canUseHostPointerForRegisteredMem;
    case cudaDevAttrPageableMemoryAccess: return properties.pageableMemoryAccess;
    default: refuse_not_modelled("this attribute of cudaDeviceGetAttribute");
  }
}

/// Returns the last error of this thread; a sticky one stays. Its users are not counted as calls.
cudaError_t last_error(bool clear, const char* name = __builtin_FUNCTION()) {
  if (in_host_function()) return refuse_in_host_function(name);
  Machine& m = machine();
  const Hold hold(m);
  begin_call(m, name);
  end_call(m);
  if (m.sticky != cudaSuccess) return m.sticky;
  cudaError_t& last = m.last[this_thread()];
  return clear ? std::exchange(last, cudaSuccess) : last;
}

constexpr char unknown[] = "unrecognized error code";

/// Returns the device of a location. Refuses (cudaErrorInvalidValue) one that does not exist.
int device_at(Machine& m, const cudaMemLocation& location) {
  require(location.type == cudaMemLocationTypeDevice);
  return m.gpu(location.id, cudaErrorInvalidValue).number;
}

}  // namespace

cudaError_t CUDARTAPI cudaGetDeviceCount(int* count) {
  return answer(count, [](Machine& m) { return static_cast<int>(m.gpus.size()); });
}

cudaError_t CUDARTAPI cudaSetDevice(int device) {
  return call([&](Machine& m) { m.current[this_thread()] = m.gpu(device).number; });
}

cudaError_t CUDARTAPI cudaGetDevice(int* device) {
  return answer(device, [](Machine& m) { return m.gpu().number; });
}

cudaError_t CUDARTAPI cudaGetDeviceProperties(cudaDeviceProp* properties, int device) {
  return answer(properties,
                [&](Machine& m) { return describe(m.settings.profile, m.gpu(device)); });
}

cudaError_t CUDARTAPI cudaDeviceGetAttribute(int* value, cudaDeviceAttr name, int device) {
  return answer(value, [&](Machine& m) {
    return attribute(describe(m.settings.profile, m.gpu(device)), name);
  });
}

cudaError_t CUDARTAPI cudaDeviceGetPCIBusId(char* text, int length, int device) {
  return call([&](Machine& m) {
    const std::string id = pci_bus_id_of(m.gpu(device));
    if (text == nullptr || std::cmp_less_equal(length, id.size())) refuse(cudaErrorInvalidValue);
    std::memcpy(text, id.c_str(), id.size() + 1);
  });
}

cudaError_t CUDARTAPI cudaDeviceGetByPCIBusId(int* device, const char* text) {
  return answer(device, [&](Machine& m) {
    require(text != nullptr);
    const auto found = std::ranges::find(m.gpus, std::string(text), pci_bus_id_of);
    require(found != m.gpus.end(), cudaErrorInvalidDevice);
    return found->number;
  });
}

cudaError_t CUDARTAPI cudaDriverGetVersion(int* version) {
  return answer(
      version, [](Machine& m) { return m.settings.profile.driver_version; },
      InCapture::without_device);
}

cudaError_t CUDARTAPI cudaRuntimeGetVersion(int* version) {
  return answer(
      version, [](Machine&) { return CUDART_VERSION; }, InCapture::without_device);
}

// Only makes a value: does not involve the device, and cannot fail.
cudaChannelFormatDesc CUDARTAPI cudaCreateChannelDesc(int x, int y, int z, int w,
                                                      cudaChannelFormatKind kind) {
  return {x, y, z, w, kind};
}

// How the host waits makes no difference in virtual time.
cudaError_t CUDARTAPI cudaSetDeviceFlags(unsigned flags) {
  return call([&](Machine& m) {
    // CUDA Runtime API, Device Management, cudaSetDeviceFlags: at most one way to wait.
    constexpr unsigned ways[] = {cudaDeviceScheduleAuto, cudaDeviceScheduleSpin,
                                 cudaDeviceScheduleYield, cudaDeviceScheduleBlockingSync};
    require(includes(ways, flags & cudaDeviceScheduleMask));
    require((flags & ~unsigned{cudaDeviceMask}) == 0);
    m.gpu().flags = flags;
  });
}

cudaError_t CUDARTAPI cudaGetDeviceFlags(unsigned* flags) {
  return answer(flags, [](Machine& m) {
    return m.gpu().flags | cudaDeviceMapHost;  // implicit for the runtime
  });
}

cudaError_t CUDARTAPI cudaDeviceSynchronize() {
  return call([](Machine& m) {
    const int device = m.gpu().number;
    forbid_in_any_capture(m, device);
    m.wait_for(m.under_way(device));
  });
}

cudaError_t CUDARTAPI cudaGetLastError() { return last_error(true); }

cudaError_t CUDARTAPI cudaPeekAtLastError() { return last_error(false); }

const char* CUDARTAPI cudaGetErrorName(cudaError_t code) {
  const ErrorCode* known = find_error(code);
  return known == nullptr ? unknown : known->name;
}

const char* CUDARTAPI cudaGetErrorString(cudaError_t code) {
  const ErrorCode* known = find_error(code);
  return known == nullptr ? unknown : known->text;
}

cudaError_t CUDARTAPI cudaDeviceCanAccessPeer(int* can_access, int device, int peer) {
  return answer(can_access,
                [&](Machine& m) { return m.gpu(device).number == m.gpu(peer).number ? 0 : 1; });
}

cudaError_t CUDARTAPI cudaDeviceEnablePeerAccess(int peer, unsigned int flags) {
  return call(InCapture::unsafe, [&](Machine& m) {
    require(m.gpu(peer).number != m.gpu().number, cudaErrorPeerAccessUnsupported);
    require(flags == 0);
    require(m.gpu().peers.insert(peer).second, cudaErrorPeerAccessAlreadyEnabled);
  });
}

cudaError_t CUDARTAPI cudaDeviceDisablePeerAccess(int peer) {
  return call(InCapture::unsafe, [&](Machine& m) {
    require(m.gpu().peers.erase(m.gpu(peer).number) == 1, cudaErrorPeerAccessNotEnabled);
  });
}

cudaError_t CUDARTAPI cudaMemPoolSetAccess(cudaMemPool_t handle, const cudaMemAccessDesc* entries,
                                           size_t count) {
  return call([&](Machine& m) {
    CUmemPoolHandle_st& pool = pool_of(m, handle);
    require(entries != nullptr || count == 0);
    std::set<int> sharers = pool.sharers;  // changed only if all entries are valid
    for (const cudaMemAccessDesc& entry : std::span(entries, count)) {
      const int device = device_at(m, entry.location);
      const bool shares = entry.flags == cudaMemAccessFlagsProtReadWrite;
      require(shares || (entry.flags == cudaMemAccessFlagsProtNone && device != pool.device));
      shares ? (void)sharers.insert(device) : (void)sharers.erase(device);
    }
    pool.sharers = std::move(sharers);
  });
}

cudaError_t CUDARTAPI cudaMemPoolGetAccess(cudaMemAccessFlags* flags, cudaMemPool_t handle,
                                           cudaMemLocation* location) {
  return answer(flags, [&](Machine& m) {
    const CUmemPoolHandle_st& pool = pool_of(m, handle);
    require(location != nullptr);
    const int device = device_at(m, *location);
    return device == pool.device || pool.sharers.contains(device) ? cudaMemAccessFlagsProtReadWrite
                                                                  : cudaMemAccessFlagsProtNone;
  });
}
