// Immediate allocation and release of device memory and of pinned host memory.
#include <vector>

#include "common/device/simulator/machine/call.hpp"
#include "common/device/simulator/machine/pool.hpp"

using namespace trilane;
using namespace trilane::simulator;

namespace {

using SizeCosts = std::vector<SizeCost>;

bool is_host(Place place) { return place == Place::pinned || place == Place::registered; }

/// CUDA Programming Guide, "Implicit Synchronization": an allocation may wait for the device.
void* allocate(Machine& m, std::size_t bytes, Place place, const SizeCosts& costs) {
  m.may_wait_for_device();
  const auto block = m.memory.allocate(bytes, place);
  if (!block) refuse(cudaErrorMemoryAllocation);
  m.timeline.spend(at_size(costs, bytes));
  m.hazards.allocated(*block);
  return reinterpret_cast<void*>(block->range.begin);
}

/// CUDA Runtime API, cudaFree: "may perform implicit synchronization". The measured driver does.
void release(Machine& m, const Block& block, const SizeCosts& costs, const char* call) {
  m.hazards.released_by_host(block.range, m.order, call);
  m.may_wait_for_device();
  m.clock_waits_for_device();
  m.timeline.spend(at_size(costs, block.range.size()));
  m.memory.release(reinterpret_cast<const void*>(block.range.begin));
}

/// The block in `place` that begins at `pointer`. Otherwise refuses with `code`, and the hazard
/// check reports if a block was released there before.
Block block_at(Machine& m, const void* pointer, Place place, const char* call, cudaError_t code) {
  const auto begin = reinterpret_cast<std::uintptr_t>(pointer);
  const Block block = m.memory.find(pointer);
  if (block.place == place && block.range.begin == begin) return block;
  if (block.place == Place::pageable) m.hazards.released_by_host({begin, begin + 1}, m.order, call);
  refuse(code);
}

void allocate_pinned(void** pointer, std::size_t bytes, Machine& m) {
  if (pointer == nullptr) refuse(cudaErrorInvalidValue);
  *pointer = nullptr;
  if (bytes > 0) {
    *pointer = allocate(m, bytes, Place::pinned, m.settings.profile.memory.malloc_host);
  }
}

cudaPointerAttributes attributes_of(const Block& block, void* pointer) {
  cudaPointerAttributes attributes{};
  attributes.type = cudaMemoryTypeUnregistered;
  attributes.device = cudaInvalidDeviceId;
  attributes.hostPointer = pointer;
  if (block.place == Place::pageable) return attributes;
  attributes.type = is_host(block.place) ? cudaMemoryTypeHost : cudaMemoryTypeDevice;
  attributes.device = 0;
  attributes.devicePointer = pointer;
  if (!is_host(block.place)) attributes.hostPointer = nullptr;
  return attributes;
}

}  // namespace

cudaError_t CUDARTAPI cudaMalloc(void** pointer, size_t bytes) {
  return call("cudaMalloc", InCapture::unsafe, [&](Machine& m) {
    if (pointer == nullptr) refuse(cudaErrorInvalidValue);
    *pointer = nullptr;
    if (bytes > 0) *pointer = allocate(m, bytes, Place::device, m.settings.profile.memory.malloc);
  });
}

cudaError_t CUDARTAPI cudaFree(void* pointer) {
  return call("cudaFree", InCapture::unsafe, [&](Machine& m) {
    if (pointer == nullptr || release_pool_memory(m, pointer)) return;
    const Block block = block_at(m, pointer, Place::device, "cudaFree", cudaErrorInvalidValue);
    release(m, block, m.settings.profile.memory.free, "cudaFree");
  });
}

cudaError_t CUDARTAPI cudaMallocHost(void** pointer, size_t bytes) {
  return call("cudaMallocHost", InCapture::unsafe,
              [&](Machine& m) { allocate_pinned(pointer, bytes, m); });
}

cudaError_t CUDARTAPI cudaHostAlloc(void** pointer, size_t bytes, unsigned flags) {
  return call("cudaHostAlloc", InCapture::unsafe, [&](Machine& m) {
    constexpr unsigned known =
        cudaHostAllocPortable | cudaHostAllocMapped | cudaHostAllocWriteCombined;
    if ((flags & ~known) != 0) refuse(cudaErrorInvalidValue);
    allocate_pinned(pointer, bytes, m);
  });
}

cudaError_t CUDARTAPI cudaFreeHost(void* pointer) {
  return call("cudaFreeHost", InCapture::unsafe, [&](Machine& m) {
    if (pointer == nullptr) return;
    const Block block = block_at(m, pointer, Place::pinned, "cudaFreeHost", cudaErrorInvalidValue);
    release(m, block, m.settings.profile.memory.free_host, "cudaFreeHost");
  });
}

cudaError_t CUDARTAPI cudaHostRegister(void* pointer, size_t bytes, unsigned flags) {
  return call("cudaHostRegister", InCapture::unsafe, [&](Machine& m) {
    constexpr unsigned known = cudaHostRegisterPortable | cudaHostRegisterMapped;
    if (pointer == nullptr || bytes == 0) refuse(cudaErrorInvalidValue);
    if ((flags & ~known) != 0) refuse(cudaErrorNotSupported);
    const Range range = range_of(pointer, bytes);
    for (const auto& [begin, block] : m.memory.blocks()) {
      if (block.range.overlaps(range)) refuse(cudaErrorHostMemoryAlreadyRegistered);
    }
    m.may_wait_for_device();
    // Not in the profile: pages are locked and mapped as for an allocation.
    m.timeline.spend(at_size(m.settings.profile.memory.malloc_host, bytes));
    m.memory.register_host(pointer, bytes);
    m.hazards.allocated(m.memory.find(pointer));
  });
}

cudaError_t CUDARTAPI cudaHostUnregister(void* pointer) {
  return call("cudaHostUnregister", InCapture::unsafe, [&](Machine& m) {
    if (pointer == nullptr) refuse(cudaErrorInvalidValue);
    const Block block = block_at(m, pointer, Place::registered, "cudaHostUnregister",
                                 cudaErrorHostMemoryNotRegistered);
    release(m, block, m.settings.profile.memory.free_host, "cudaHostUnregister");
  });
}

cudaError_t CUDARTAPI cudaHostGetDevicePointer(void** device, void* host, unsigned flags) {
  return call("cudaHostGetDevicePointer", [&](Machine& m) {
    const bool mapped = is_host(m.memory.find(host).place);
    if (device == nullptr || flags != 0 || !mapped) refuse(cudaErrorInvalidValue);
    *device = host;
  });
}

cudaError_t CUDARTAPI cudaPointerGetAttributes(cudaPointerAttributes* attributes,
                                               const void* pointer) {
  return answer("cudaPointerGetAttributes", attributes, [&](Machine& m) {
    require(pointer != nullptr);
    return attributes_of(m.memory.find(pointer), const_cast<void*>(pointer));
  });
}

cudaError_t CUDARTAPI cudaMemGetInfo(size_t* free, size_t* total) {
  return call("cudaMemGetInfo", [&](Machine& m) {
    if (free == nullptr || total == nullptr) refuse(cudaErrorInvalidValue);
    *free = m.memory.device_free();
    *total = m.memory.device_total();
  });
}
