// Allocation and release of device memory and of pinned host memory, outside stream order.
#include "common/device/simulator/machine/call.hpp"
#include "common/device/simulator/machine/pool.hpp"

using namespace trilane;
using namespace trilane::simulator;

namespace {

/// Writes the address of new memory to `*pointer`, or null for no bytes and after a failure.
void allocate(Machine& m, void** pointer, std::size_t bytes, Place place) {
  require(pointer != nullptr);
  *pointer = nullptr;
  if (bytes == 0) return;
  // CUDA Programming Guide, "Implicit Synchronization": an allocation may wait for the device.
  m.may_wait_for(m.under_way());
  const auto block = m.memory.allocate(bytes, place);
  require(block.has_value(), cudaErrorMemoryAllocation);
  const auto& costs = m.settings.profile.memory;
  m.timeline.spend(at_size(place == Place::device ? costs.malloc : costs.malloc_host, bytes));
  m.hazards.allocated(*block);
  *pointer = reinterpret_cast<void*>(block->range.begin);
}

/// Releases the block in `place` that begins at `pointer`. Refuses with `missing` if none exists;
/// the hazard check reports if a block was released there before.
void release(Machine& m, const void* pointer, Place place,
             cudaError_t missing = cudaErrorInvalidValue) {
  const char* const call = m.calls.back();
  const auto begin = reinterpret_cast<std::uintptr_t>(pointer);
  const auto [range, found, owner] = m.memory.find(pointer);
  if (found == Place::pageable) m.hazards.released_by_host({begin, begin + 1}, m.order, call);
  require(found == place && range.begin == begin, missing);
  m.hazards.released_by_host(range, m.order, call);
  // CUDA Runtime API, cudaFree: "may perform implicit synchronization". The measured driver does.
  m.may_wait_for(m.under_way());
  m.clock_waits_for(m.under_way());
  const auto& costs = m.settings.profile.memory;
  m.timeline.spend(at_size(place == Place::device ? costs.free : costs.free_host, range.size()));
  m.memory.release(pointer);
}

cudaPointerAttributes attributes_of(const Block& block, void* pointer) {
  cudaPointerAttributes attributes{};
  const bool pageable = block.place == Place::pageable, on_device = is_on_device(block.place);
  attributes.type = pageable    ? cudaMemoryTypeUnregistered
                    : on_device ? cudaMemoryTypeDevice
                                : cudaMemoryTypeHost;
  attributes.device = pageable ? cudaInvalidDeviceId : 0;
  attributes.devicePointer = pageable ? nullptr : pointer;
  attributes.hostPointer = on_device ? nullptr : pointer;
  return attributes;
}

}  // namespace

cudaError_t CUDARTAPI cudaMalloc(void** pointer, size_t bytes) {
  return call(InCapture::unsafe, [&](Machine& m) { allocate(m, pointer, bytes, Place::device); });
}

cudaError_t CUDARTAPI cudaFree(void* pointer) {
  return call(InCapture::unsafe, [&](Machine& m) {
    if (pointer == nullptr || release_pool_memory(m, pointer)) return;
    release(m, pointer, Place::device);
  });
}

cudaError_t CUDARTAPI cudaMallocHost(void** pointer, size_t bytes) {
  return call(InCapture::unsafe, [&](Machine& m) { allocate(m, pointer, bytes, Place::pinned); });
}

cudaError_t CUDARTAPI cudaHostAlloc(void** pointer, size_t bytes, unsigned flags) {
  return call(InCapture::unsafe, [&](Machine& m) {
    constexpr unsigned known =
        cudaHostAllocPortable | cudaHostAllocMapped | cudaHostAllocWriteCombined;
    require((flags & ~known) == 0);
    allocate(m, pointer, bytes, Place::pinned);
  });
}

cudaError_t CUDARTAPI cudaFreeHost(void* pointer) {
  return call(InCapture::unsafe, [&](Machine& m) {
    if (pointer != nullptr) release(m, pointer, Place::pinned);
  });
}

cudaError_t CUDARTAPI cudaHostRegister(void* pointer, size_t bytes, unsigned flags) {
  return call(InCapture::unsafe, [&](Machine& m) {
    constexpr unsigned known = cudaHostRegisterPortable | cudaHostRegisterMapped;
    if (pointer == nullptr || bytes == 0) refuse(cudaErrorInvalidValue);
    if ((flags & ~known) != 0) refuse(cudaErrorNotSupported);
    const simulator::Range range = range_of(pointer, bytes);
    for (const auto& [begin, block] : m.memory.blocks()) {
      if (block.range.overlaps(range)) refuse(cudaErrorHostMemoryAlreadyRegistered);
    }
    m.may_wait_for(m.under_way());
    // Not in the profile: pages are locked and mapped as for an allocation.
    m.timeline.spend(at_size(m.settings.profile.memory.malloc_host, bytes));
    m.memory.register_host(pointer, bytes);
    m.hazards.allocated(m.memory.find(pointer));
  });
}

cudaError_t CUDARTAPI cudaHostUnregister(void* pointer) {
  return call(InCapture::unsafe, [&](Machine& m) {
    require(pointer != nullptr);
    release(m, pointer, Place::registered, cudaErrorHostMemoryNotRegistered);
  });
}

cudaError_t CUDARTAPI cudaHostGetDevicePointer(void** device, void* host, unsigned flags) {
  return answer(device, [&](Machine& m) {
    const Place place = m.memory.find(host).place;
    require(flags == 0 && (place == Place::pinned || place == Place::registered));
    return host;
  });
}

cudaError_t CUDARTAPI cudaPointerGetAttributes(cudaPointerAttributes* attributes,
                                               const void* pointer) {
  return answer(attributes, [&](Machine& m) {
    require(pointer != nullptr);
    return attributes_of(m.memory.find(pointer), const_cast<void*>(pointer));
  });
}

cudaError_t CUDARTAPI cudaMemGetInfo(size_t* free, size_t* total) {
  return call([&](Machine& m) {
    require(free != nullptr && total != nullptr);
    *free = m.memory.device_free();
    *total = m.memory.device_total();
  });
}
