#include "common/application/replay/application_pools.hpp"

namespace trilane {

namespace {

template <typename Value>
Value attribute_of(CUmemoryPool pool, CUmemPool_attribute attribute) {
  Value value = 0;
  TRILANE_DRIVER(cuMemPoolGetAttribute, pool, attribute, &value);
  return value;
}

}  // namespace

CUmemoryPool pool_behind(CUmemoryPool pool) {
  if (pool != nullptr) return pool;
  CUdevice device = 0;
  TRILANE_DRIVER(cuCtxGetDevice, &device);
  TRILANE_DRIVER(cuDeviceGetMemPool, &pool, device);
  return pool;
}

bool keeps_its_memory(CUmemoryPool pool) {
  return attribute_of<cuuint64_t>(pool, CU_MEMPOOL_ATTR_RELEASE_THRESHOLD) == UINT64_MAX;
}

OwnPool make_keeping_pool(CUmemoryPool pool) {
  CUmemPoolProps properties{};
  properties.allocType = CU_MEM_ALLOCATION_TYPE_PINNED;
  properties.location.type = CU_MEM_LOCATION_TYPE_DEVICE;
  TRILANE_DRIVER(cuCtxGetDevice, &properties.location.id);
  CUmemoryPool handle = nullptr;
  TRILANE_DRIVER(cuMemPoolCreate, &handle, &properties);
  OwnPool own(handle);
  cuuint64_t everything = UINT64_MAX;
  TRILANE_DRIVER(cuMemPoolSetAttribute, handle, CU_MEMPOOL_ATTR_RELEASE_THRESHOLD, &everything);
  if (pool == nullptr) return own;
  for (const CUmemPool_attribute reuse :
       {CU_MEMPOOL_ATTR_REUSE_FOLLOW_EVENT_DEPENDENCIES, CU_MEMPOOL_ATTR_REUSE_ALLOW_OPPORTUNISTIC,
        CU_MEMPOOL_ATTR_REUSE_ALLOW_INTERNAL_DEPENDENCIES}) {
    int set = attribute_of<int>(pool, reuse);
    TRILANE_DRIVER(cuMemPoolSetAttribute, handle, reuse, &set);
  }
  return own;
}

ApplicationPools::ApplicationPools(const ObservedIteration& iteration) {
  for (const ObservedCall& call : iteration.calls) {
    if (call.kind != CallKind::allocate_async) continue;
    const CUmemoryPool pool = pool_behind(reinterpret_cast<CUmemoryPool>(call.pool));
    reserved_[pool] = attribute_of<cuuint64_t>(pool, CU_MEMPOOL_ATTR_RESERVED_MEM_CURRENT);
  }
}

void ApplicationPools::give_back() const {
  for (const auto& [pool, bytes] : reserved_) {
    if (attribute_of<cuuint64_t>(pool, CU_MEMPOOL_ATTR_RESERVED_MEM_CURRENT) > bytes) {
      TRILANE_DRIVER(cuMemPoolTrimTo, pool, bytes);
    }
  }
}

}  // namespace trilane
