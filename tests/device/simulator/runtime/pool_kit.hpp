// A memory pool as the tests of its rules use it.
#pragma once

#include "tests/device/simulator/runtime/rules.hpp"

namespace trilane::simulator::rules {

class TestPool {
 public:
  /// With the flags cudaMemPoolReuseFollowEventDependencies, AllowOpportunistic and
  /// AllowInternalDependencies as given; by default all on, as the runtime has them.
  explicit TestPool(bool follow_events = true, bool opportunistic = true, bool internal = true) {
    cudaMemPoolProps properties{};
    properties.allocType = cudaMemAllocationTypePinned;
    properties.location = {.type = cudaMemLocationTypeDevice, .id = 0};
    cudaMemPool_t pool = nullptr;
    check(cudaMemPoolCreate(&pool, &properties));
    pool_.reset(pool);
    flag(cudaMemPoolReuseFollowEventDependencies, follow_events);
    flag(cudaMemPoolReuseAllowOpportunistic, opportunistic);
    flag(cudaMemPoolReuseAllowInternalDependencies, internal);
  }

  cudaMemPool_t handle() const { return pool_.get(); }
  void destroy() { pool_.reset(); }

  void* allocate(std::uint64_t bytes, const Stream& stream) const {
    void* memory = nullptr;
    check(cudaMallocFromPoolAsync(&memory, bytes, handle(), stream.get()));
    return memory;
  }

  std::uint64_t get(cudaMemPoolAttr attribute) const {
    std::uint64_t value = 0;
    check(cudaMemPoolGetAttribute(handle(), attribute, &value));
    return value;
  }
  std::uint64_t reserved() const { return get(cudaMemPoolAttrReservedMemCurrent); }

  cudaError_t set(cudaMemPoolAttr attribute, std::uint64_t value) const {
    return cudaMemPoolSetAttribute(handle(), attribute, &value);
  }

 private:
  void flag(cudaMemPoolAttr name, bool on) const {
    int value = on ? 1 : 0;
    check(cudaMemPoolSetAttribute(handle(), name, &value));
  }

  MemoryPool pool_;
};

struct OnePool : OneStream {
  TestPool pool;
};

}  // namespace trilane::simulator::rules
