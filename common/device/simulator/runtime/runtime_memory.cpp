// Allocation and release of memory: of the device and of pinned host memory, and in stream order.
#include "common/device/simulator/machine/call.hpp"
#include "common/device/simulator/machine/graph_memory.hpp"
#include "common/device/simulator/machine/pool.hpp"

using namespace trilane;
using namespace trilane::simulator;

namespace {

/// Returns the time of cudaMalloc or cudaFree. Small blocks share a page, assumed to hold them all,
/// which the driver maps for the first of them and unmaps after the last.
double device_block_us(const Machine& m, const std::vector<SizeCost>& costs, std::uint64_t bytes,
                       int device) {
  constexpr std::uint64_t page = 2 << 20;
  if (bytes >= page) return at_size(costs, bytes);
  const bool shared = std::ranges::any_of(m.memory.blocks(), [&](const auto& entry) {
    const Block& other = entry.second;
    return other.place == Place::device && other.device == device && other.range.size() < page;
  });
  return at_size(costs, shared ? bytes : page);
}

/// Writes the address of new memory to `*pointer`, or null for no bytes and after a failure.
void allocate(Machine& m, void** pointer, std::size_t bytes, Place place) {
  require(pointer != nullptr);
  *pointer = nullptr;
  if (bytes == 0) return;
  // CUDA Programming Guide, "Implicit Synchronization": an allocation may wait for the device.
  const int device = m.gpu().number;
  m.may_wait_for(m.under_way(device));
  const auto& costs = m.settings.profile.memory;
  const double us = place == Place::device ? device_block_us(m, costs.malloc, bytes, device)
                                           : at_size(costs.malloc_host, bytes);
  const auto block = m.memory.allocate(bytes, place, 0, device);
  require(block.has_value(), cudaErrorMemoryAllocation);
  m.timeline.spend(us);
  m.hazards.allocated(*block);
  *pointer = reinterpret_cast<void*>(block->range.begin);
}

/// Releases the block in `place` that begins at `pointer`. Refuses with `missing` if none exists;
/// the hazard check reports if a block was released there before.
void release(Machine& m, const void* pointer, Place place,
             cudaError_t missing = cudaErrorInvalidValue) {
  const char* const call = m.calls.back();
  const auto begin = reinterpret_cast<std::uintptr_t>(pointer);
  const auto [range, found, owner, device] = m.memory.find(pointer);
  if (found == Place::pageable) m.hazards.released_by_host({begin, begin + 1}, m.order, call);
  require(found == place && range.begin == begin, missing);
  m.hazards.released_by_host(range, m.order, call);
  // CUDA Runtime API, cudaFree: "may perform implicit synchronization". The measured driver does.
  const Frontier work = place == Place::device ? m.under_way(device) : m.under_way();
  m.may_wait_for(work);
  m.clock_waits_for(work);
  m.memory.release(pointer);
  const auto& costs = m.settings.profile.memory;
  m.timeline.spend(place == Place::device ? device_block_us(m, costs.free, range.size(), device)
                                          : at_size(costs.free_host, range.size()));
}

cudaPointerAttributes attributes_of(const Block& block, void* pointer) {
  cudaPointerAttributes attributes{};
  const bool pageable = block.place == Place::pageable, on_device = is_on_device(block.place);
  attributes.type = pageable    ? cudaMemoryTypeUnregistered
                    : on_device ? cudaMemoryTypeDevice
                                : cudaMemoryTypeHost;
  attributes.device = pageable ? cudaInvalidDeviceId : block.device;
  attributes.devicePointer = pageable ? nullptr : pointer;
  attributes.hostPointer = on_device ? nullptr : pointer;
  return attributes;
}

void* allocate_in_order(Machine& m, std::size_t bytes, CUmemPoolHandle_st& pool,
                        CUstream_st& stream) {
  require(bytes > 0);
  if (stream.capture) return capture_allocation(m, stream, bytes, pool);
  return allocate_from(m, pool, bytes, stream);
}

int* flag_of(CUmemPoolHandle_st& pool, cudaMemPoolAttr attribute) {
  switch (attribute) {
    case cudaMemPoolReuseFollowEventDependencies: return &pool.reuse_follow_event_dependencies;
    case cudaMemPoolReuseAllowOpportunistic: return &pool.reuse_opportunistic;
    case cudaMemPoolReuseAllowInternalDependencies: return &pool.reuse_internal_dependencies;
    default: return nullptr;
  }
}

std::uint64_t& figure_of(CUmemPoolHandle_st& pool, cudaMemPoolAttr attribute) {
  switch (attribute) {
    case cudaMemPoolAttrReleaseThreshold: return pool.release_threshold;
    case cudaMemPoolAttrReservedMemCurrent: return pool.reserved;
    case cudaMemPoolAttrReservedMemHigh: return pool.reserved_high;
    case cudaMemPoolAttrUsedMemCurrent: return pool.used;
    case cudaMemPoolAttrUsedMemHigh: return pool.used_high;
    default: refuse(cudaErrorInvalidValue);
  }
}

void set(CUmemPoolHandle_st& pool, cudaMemPoolAttr attribute, const void* value) {
  const auto* const figure = static_cast<const std::uint64_t*>(value);
  if (int* const flag = flag_of(pool, attribute)) {
    *flag = *static_cast<const int*>(value) != 0 ? 1 : 0;
  } else if (attribute == cudaMemPoolAttrReleaseThreshold) {
    pool.release_threshold = *figure;
  } else {
    // A high-water mark can only be reset to the current value.
    const bool is_used = attribute == cudaMemPoolAttrUsedMemHigh;
    require(*figure == 0 && (is_used || attribute == cudaMemPoolAttrReservedMemHigh));
    figure_of(pool, attribute) = is_used ? pool.used : pool.reserved;
  }
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
    m.may_wait_for(m.under_way(m.gpu().number));
    // Not in the profile: pages are locked and mapped as for an allocation.
    m.timeline.spend(at_size(m.settings.profile.memory.malloc_host, bytes));
    m.memory.register_host(pointer, bytes, m.gpu().number);
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
    *free = m.memory.device_free(m.gpu().number);
    *total = m.memory.device_total();
  });
}

cudaError_t CUDARTAPI cudaMemPoolCreate(cudaMemPool_t* pool, const cudaMemPoolProps* properties) {
  return answer(pool, [&](Machine& m) {
    require(properties != nullptr && properties->allocType == cudaMemAllocationTypePinned &&
            properties->location.type == cudaMemLocationTypeDevice);
    const Gpu& device = m.gpu(properties->location.id, cudaErrorInvalidValue);
    if (properties->maxSize != 0 || properties->handleTypes != cudaMemHandleTypeNone) {
      refuse_not_modelled("a pool with a maximum size, or a shared one");
    }
    return &m.make(m.pools, device.number);
  });
}

cudaError_t CUDARTAPI cudaMemPoolDestroy(cudaMemPool_t handle) {
  return call([&](Machine& m) {
    CUmemPoolHandle_st& pool = pool_of(m, handle);
    require(!is_default_pool(m, &pool));
    destroy(m, pool);
  });
}

cudaError_t CUDARTAPI cudaMemPoolSetAttribute(cudaMemPool_t pool, cudaMemPoolAttr attribute,
                                              void* value) {
  return call([&](Machine& m) {
    require(value != nullptr);
    set(pool_of(m, pool), attribute, value);
  });
}

cudaError_t CUDARTAPI cudaMemPoolGetAttribute(cudaMemPool_t handle, cudaMemPoolAttr attribute,
                                              void* value) {
  return call([&](Machine& m) {
    require(value != nullptr);
    CUmemPoolHandle_st& pool = pool_of(m, handle);
    if (const int* const flag = flag_of(pool, attribute)) {
      *static_cast<int*>(value) = *flag;
    } else {
      *static_cast<std::uint64_t*>(value) = figure_of(pool, attribute);
    }
  });
}

cudaError_t CUDARTAPI cudaMemPoolTrimTo(cudaMemPool_t pool, size_t keep) {
  return call([&](Machine& m) { trim(m, pool_of(m, pool), keep); });
}

cudaError_t CUDARTAPI cudaDeviceGetDefaultMemPool(cudaMemPool_t* pool, int device) {
  return answer(pool, [&](Machine& m) { return &default_pool(m, device); });
}

cudaError_t CUDARTAPI cudaMallocAsync(void** pointer, size_t bytes, cudaStream_t stream) {
  return answer(pointer, [&](Machine& m) {
    CUstream_st& on = stream_of(m, stream);
    return allocate_in_order(m, bytes, default_pool(m, on.device), on);
  });
}

cudaError_t CUDARTAPI cudaMallocFromPoolAsync(void** pointer, size_t bytes, cudaMemPool_t pool,
                                              cudaStream_t stream) {
  return answer(pointer, [&](Machine& m) {
    return allocate_in_order(m, bytes, pool_of(m, pool), stream_of(m, stream));
  });
}

cudaError_t CUDARTAPI cudaFreeAsync(void* memory, cudaStream_t handle) {
  return call([&](Machine& m) {
    CUstream_st& stream = stream_of(m, handle);
    require(memory != nullptr);
    stream.capture ? capture_release(m, stream, memory) : free_in_order(m, memory, stream);
  });
}
