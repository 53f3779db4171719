// The fake driver's pools.
#include <algorithm>
#include <utility>

#include "tests/application/replay/made_up/made_up_driver.hpp"
#include "tests/application/replay/made_up/made_up_tables.hpp"

namespace trilane::made_up {

namespace {

CUresult allocate_from(const std::shared_ptr<Pool>& pool, CUdeviceptr* address, std::size_t bytes) {
  if (pool == nullptr) return CUDA_ERROR_INVALID_HANDLE;
  std::uint64_t made = 0;
  const CUresult result = allocate(made, bytes, false, pool);
  if (result != CUDA_SUCCESS) return result;
  *address = made;
  ++pool->allocations;
  pool->used += bytes;
  pool->reserved = std::max(pool->reserved, pool->used);
  pool->most_reserved = std::max(pool->most_reserved, pool->reserved);
  return CUDA_SUCCESS;
}

/// Returns the setting of that name; null if none exists.
std::uint64_t* bytes_in(Pool& pool, CUmemPool_attribute attribute) {
  switch (attribute) {
    case CU_MEMPOOL_ATTR_RELEASE_THRESHOLD: return &pool.threshold;
    case CU_MEMPOOL_ATTR_RESERVED_MEM_CURRENT: return &pool.reserved;
    default: return nullptr;
  }
}

int& reuse_in(Pool& pool, CUmemPool_attribute attribute) {
  return pool.reuse[attribute - CU_MEMPOOL_ATTR_REUSE_FOLLOW_EVENT_DEPENDENCIES];
}

}  // namespace

void add_pools(ReplayDriver& all) {
  all.cuMemAllocAsync = [](CUdeviceptr* address, std::size_t bytes, CUstream) {
    return allocate_from(state().current, address, bytes);
  };
  all.cuMemAllocFromPoolAsync = [](CUdeviceptr* address, std::size_t bytes, CUmemoryPool pool,
                                   CUstream) {
    return allocate_from(pool_of(pool), address, bytes);
  };
  all.cuDeviceGetMemPool = [](CUmemoryPool* pool, CUdevice) {
    *pool = reinterpret_cast<CUmemoryPool>(state().current.get());
    return CUDA_SUCCESS;
  };
  all.cuMemPoolCreate = [](CUmemoryPool* pool, const CUmemPoolProps*) {
    auto made = std::make_shared<Pool>();
    *pool = reinterpret_cast<CUmemoryPool>(made.get());
    state().pools[*pool] = std::move(made);
    return CUDA_SUCCESS;
  };
  all.cuMemPoolDestroy = [](CUmemoryPool pool) {
    return state().pools.erase(pool) == 1 ? CUDA_SUCCESS : CUDA_ERROR_INVALID_HANDLE;
  };
  all.cuMemPoolSetAttribute = [](CUmemoryPool handle, CUmemPool_attribute attribute, void* value) {
    Pool& pool = *pool_of(handle);
    if (std::uint64_t* const bytes = bytes_in(pool, attribute)) {
      *bytes = *static_cast<std::uint64_t*>(value);
    } else {
      reuse_in(pool, attribute) = *static_cast<int*>(value);
    }
    return CUDA_SUCCESS;
  };
  all.cuMemPoolGetAttribute = [](CUmemoryPool handle, CUmemPool_attribute attribute, void* value) {
    Pool& pool = *pool_of(handle);
    if (const std::uint64_t* const bytes = bytes_in(pool, attribute)) {
      *static_cast<std::uint64_t*>(value) = *bytes;
    } else {
      *static_cast<int*>(value) = reuse_in(pool, attribute);
    }
    return CUDA_SUCCESS;
  };
  all.cuMemPoolTrimTo = [](CUmemoryPool pool, std::size_t keep) {
    pool_of(pool)->give_back(keep);
    return CUDA_SUCCESS;
  };
}

}  // namespace trilane::made_up
