// Pools and stream-ordered allocation.
#include "common/device/simulator/machine/call.hpp"
#include "common/device/simulator/machine/graph_memory.hpp"
#include "common/device/simulator/machine/not_modelled.hpp"
#include "common/device/simulator/machine/pool.hpp"

using namespace trilane::simulator;

namespace {

CUmemPoolHandle_st& pool_of(Machine& m, cudaMemPool_t handle) {
  if (handle != nullptr && handle == m.default_pool.get()) return *handle;
  CUmemPoolHandle_st& pool = object_of(m.pools, handle, cudaErrorInvalidValue);
  if (pool.destroyed) refuse(cudaErrorInvalidValue);
  return pool;
}

void* allocate(Machine& m, std::size_t bytes, CUmemPoolHandle_st& pool, cudaStream_t handle) {
  require(bytes > 0);
  CUstream_st& stream = stream_of(m, handle);
  if (stream.capture) return capture_allocation(m, stream, bytes);
  return allocate_from(m, pool, bytes, stream);
}

/// Returns a flag of a pool, or null if the attribute is not a flag.
int* flag_of(CUmemPoolHandle_st& pool, cudaMemPoolAttr attribute) {
  switch (attribute) {
    case cudaMemPoolReuseFollowEventDependencies: return &pool.reuse_follow_event_dependencies;
    case cudaMemPoolReuseAllowOpportunistic: return &pool.reuse_opportunistic;
    case cudaMemPoolReuseAllowInternalDependencies: return &pool.reuse_internal_dependencies;
    default: return nullptr;
  }
}

/// Returns a number of a pool. Refuses unknown attributes.
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
  if (int* const flag = flag_of(pool, attribute)) {
    *flag = *static_cast<const int*>(value) != 0 ? 1 : 0;
    return;
  }
  std::uint64_t& figure = figure_of(pool, attribute);
  const auto wanted = *static_cast<const std::uint64_t*>(value);
  const bool is_high =
      attribute == cudaMemPoolAttrReservedMemHigh || attribute == cudaMemPoolAttrUsedMemHigh;
  if (attribute == cudaMemPoolAttrReleaseThreshold) {
    figure = wanted;
  } else if (is_high && wanted == 0) {  // resets a high-water mark to the current value
    figure = attribute == cudaMemPoolAttrUsedMemHigh ? pool.used : pool.reserved;
  } else {
    refuse(cudaErrorInvalidValue);
  }
}

}  // namespace

cudaError_t CUDARTAPI cudaMemPoolCreate(cudaMemPool_t* pool, const cudaMemPoolProps* properties) {
  return answer(pool, [&](Machine& m) {
    require(properties != nullptr && properties->allocType == cudaMemAllocationTypePinned &&
            properties->location.type == cudaMemLocationTypeDevice && properties->location.id == 0);
    if (properties->maxSize != 0 || properties->handleTypes != cudaMemHandleTypeNone) {
      refuse_not_modelled("a pool with a maximum size, or a shared one");
    }
    return &m.make(m.pools);
  });
}

cudaError_t CUDARTAPI cudaMemPoolDestroy(cudaMemPool_t handle) {
  return call([&](Machine& m) {
    CUmemPoolHandle_st& pool = pool_of(m, handle);
    if (&pool == m.default_pool.get()) refuse(cudaErrorInvalidValue);
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
  return answer(pool, [&](Machine& m) {
    require(device == 0, cudaErrorInvalidDevice);
    return &default_pool(m);
  });
}

cudaError_t CUDARTAPI cudaMallocAsync(void** pointer, size_t bytes, cudaStream_t stream) {
  return answer(pointer, [&](Machine& m) { return allocate(m, bytes, default_pool(m), stream); });
}

cudaError_t CUDARTAPI cudaMallocFromPoolAsync(void** pointer, size_t bytes, cudaMemPool_t pool,
                                              cudaStream_t stream) {
  return answer(pointer, [&](Machine& m) { return allocate(m, bytes, pool_of(m, pool), stream); });
}

cudaError_t CUDARTAPI cudaFreeAsync(void* memory, cudaStream_t handle) {
  return call([&](Machine& m) {
    CUstream_st& stream = stream_of(m, handle);
    require(memory != nullptr);
    stream.capture ? capture_release(m, stream, memory) : free_in_order(m, memory, stream);
  });
}
