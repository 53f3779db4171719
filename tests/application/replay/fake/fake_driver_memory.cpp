// The fake driver's memory and pools.
#include "common/application/replay/replay_driver.hpp"
#include "tests/application/replay/fake/fake_driver.hpp"

namespace trilane::fake {

namespace {

/// Content of memory before it is written, and after it is released.
constexpr unsigned char fresh = 0xCD, gone = 0xDD;

std::size_t used() {
  std::size_t bytes = 0;
  for (const auto& [base, memory] : state().memory) bytes += memory.pinned ? 0 : memory.bytes;
  return bytes;
}

CUresult release(std::uint64_t address) {
  const auto found = state().memory.find(address);
  if (found == state().memory.end()) return CUDA_ERROR_INVALID_VALUE;
  std::memset(found->second.content.get(), gone, found->second.bytes);
  if (found->second.pool) found->second.pool->used -= found->second.bytes;
  state().released.insert(state().memory.extract(found));
  return CUDA_SUCCESS;
}

CUresult release_when_idle(std::uint64_t address) {
  const CUresult result = wait_for_all();
  return result == CUDA_SUCCESS ? release(address) : result;
}

/// Makes memory; from a pool if there is one.
CUresult allocate(auto* address, std::size_t bytes, bool pinned,
                  std::shared_ptr<Pool> pool = nullptr) {
  if (!pinned && used() + bytes > state().capacity) return CUDA_ERROR_OUT_OF_MEMORY;
  auto content = std::make_unique<std::byte[]>(bytes);
  std::memset(content.get(), fresh, bytes);
  const auto made = reinterpret_cast<std::uint64_t>(content.get());
  std::memcpy(address, &made, sizeof made);
  state().memory[made] = {std::move(content), bytes, pinned, std::move(pool)};
  return CUDA_SUCCESS;
}

CUresult allocate_from(const std::shared_ptr<Pool>& pool, CUdeviceptr* address, std::size_t bytes) {
  if (pool == nullptr) return CUDA_ERROR_INVALID_HANDLE;
  const CUresult result = allocate(address, bytes, false, pool);
  if (result != CUDA_SUCCESS) return result;
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
    return keep(state().pools, std::make_shared<Pool>(), pool);
  };
  all.cuMemPoolDestroy = [](CUmemoryPool pool) { return forget(state().pools, pool); };
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

}  // namespace

void add_memory(ReplayDriver& all) {
  all.cuMemAlloc = [](CUdeviceptr* address, std::size_t bytes) {
    return allocate(address, bytes, false);
  };
  all.cuMemHostAlloc = [](void** memory, std::size_t bytes, unsigned) {
    return allocate(memory, bytes, true);
  };
  all.cuMemFree = [](CUdeviceptr address) { return release_when_idle(address); };
  all.cuMemFreeHost = [](void* memory) {
    return release_when_idle(reinterpret_cast<std::uint64_t>(memory));
  };
  all.cuMemFreeAsync = [](CUdeviceptr address, CUstream stream) {
    put(stream, [address] { return release(address); });
    return CUDA_SUCCESS;
  };
  all.cuMemGetInfo = [](std::size_t* free, std::size_t* total) {
    *total = state().capacity;
    *free = *total - used();
    return CUDA_SUCCESS;
  };
  all.cuPointerGetAttribute = [](void* found, CUpointer_attribute what, CUdeviceptr address) {
    auto next = state().memory.upper_bound(address);
    if (next == state().memory.begin()) return CUDA_ERROR_INVALID_VALUE;
    const auto& [base, memory] = *--next;
    if (address - base >= memory.bytes) return CUDA_ERROR_INVALID_VALUE;
    if (what == CU_POINTER_ATTRIBUTE_RANGE_START_ADDR) {
      *static_cast<CUdeviceptr*>(found) = base;
    } else if (what == CU_POINTER_ATTRIBUTE_RANGE_SIZE) {
      *static_cast<std::size_t*>(found) = memory.bytes;
    } else {
      *static_cast<unsigned*>(found) = memory.pinned ? CU_MEMORYTYPE_HOST : CU_MEMORYTYPE_DEVICE;
    }
    return CUDA_SUCCESS;
  };
  all.cuMemGetAddressRange = [](CUdeviceptr* base, std::size_t* bytes, CUdeviceptr address) {
    const auto found = state().memory.find(address);
    if (found == state().memory.end()) return CUDA_ERROR_NOT_FOUND;
    *base = found->first;
    *bytes = found->second.bytes;
    return CUDA_SUCCESS;
  };
  add_pools(all);
}

}  // namespace trilane::fake
