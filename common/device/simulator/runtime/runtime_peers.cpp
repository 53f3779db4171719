// Access of one device to the memory of another.
#include "common/device/simulator/machine/call.hpp"
#include "common/device/simulator/machine/pool.hpp"

using namespace trilane::simulator;

namespace {

/// Returns the devices of a location. Refuses (cudaErrorInvalidValue) those that do not exist.
int device_at(const Machine& m, const cudaMemLocation& location) {
  require(location.type == cudaMemLocationTypeDevice && location.id >= 0 &&
          static_cast<std::size_t>(location.id) < m.gpus.size());
  return location.id;
}

}  // namespace

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
