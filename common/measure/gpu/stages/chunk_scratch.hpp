// Scratch memory that each chunk allocates and frees, from a memory pool or with cudaMalloc.
#pragma once

#include <boost/core/noncopyable.hpp>
#include <cstdint>
#include <vector>

#include "common/measure/gpu/runtime/handles.hpp"
#include "common/measure/gpu/stages/lane_scratch.hpp"
#include "common/model/variant/plan.hpp"

namespace trilane {

/// Returns a pool of the current device with the settings of `policy`.
MemoryPool make_pool(const PoolPolicy& policy);

/// Chunk memory from private pools.
class PoolScratch : boost::noncopyable {
 public:
  /// Each of `lanes` lanes holds the memory of one chunk at a time. `policy` asks for one pool, or
  /// for one per lane.
  PoolScratch(const Workload& workload, std::uint32_t lanes, const PoolPolicy& policy);
  /// Uses the workload's policy.
  PoolScratch(const Workload& workload, std::uint32_t lanes)
      : PoolScratch(workload, lanes, workload.pool) {}
  /// Frees the allocations that an interrupted pass left.
  ~PoolScratch();

  /// Allocates memory for the lane's next chunk, in the order of `stream`.
  void allocate(std::uint32_t lane, cudaStream_t stream);
  const Scratch& operator[](std::uint32_t lane) const { return views_[lane]; }
  /// Frees the lane's memory, in the order of `stream`.
  void free(std::uint32_t lane, cudaStream_t stream);

  /// Returns the number of pools, their settings, and the sums of their high-water marks of used
  /// and of reserved memory, in bytes.
  std::vector<Count> evidence() const;

 private:
  std::byte* from_pool(std::uint32_t lane, std::uint64_t bytes, cudaStream_t stream) const;

  /// The allocations of a lane's chunk; null if none.
  struct Held {
    std::byte* first = nullptr;   // all buffers, or the inputs
    std::byte* second = nullptr;  // the others
  };

  std::vector<MemoryPool> pools_;
  Layout layout_;
  bool together_;  // all buffers of a chunk in one allocation
  std::vector<Held> held_;
  std::vector<Scratch> views_;
};

/// Chunk memory from cudaMalloc, with the same interface.
class MallocScratch {
 public:
  MallocScratch(const Workload& workload, std::uint32_t lanes);

  void allocate(std::uint32_t lane) {
    memory_[lane] = make_device_buffer(layout_.scratch_bytes);
    views_[lane] = scratch_view(memory_[lane].get(), layout_);
  }
  const Scratch& operator[](std::uint32_t lane) const { return views_[lane]; }
  /// Frees the lane's memory. Wait first for all work that uses it. The destructor retries what
  /// cannot be freed.
  void free(std::uint32_t lane) {
    check(cudaFree(memory_[lane].get()));
    static_cast<void>(memory_[lane].release());
  }

 private:
  Layout layout_;
  std::vector<DeviceBuffer> memory_;
  std::vector<Scratch> views_;
};

}  // namespace trilane
