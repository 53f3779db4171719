// Scratch memory that every chunk allocates for itself and frees again: from a memory pool in
// stream order, or with cudaMalloc.
#pragma once

#include <cstdint>
#include <vector>

#include "common/gpu/runtime/handles.hpp"
#include "common/gpu/stages/stages.hpp"
#include "common/variant/plan.hpp"

namespace trilane {

/// A pool of the current device with the settings of `policy`.
MemoryPool make_pool(const PoolPolicy& policy);

/// Chunk memory from private pools.
class PoolScratch {
 public:
  /// For chunks of `workload`, of which each of `lanes` lanes holds one at a time: one pool, or one
  /// for each lane, set up by `policy`.
  PoolScratch(const Workload& workload, std::uint32_t lanes, const PoolPolicy& policy);
  /// The same, by the workload's policy.
  PoolScratch(const Workload& workload, std::uint32_t lanes)
      : PoolScratch(workload, lanes, workload.pool) {}
  /// What an interrupted pass left allocated goes back with the pool.
  ~PoolScratch();
  PoolScratch(const PoolScratch&) = delete;
  PoolScratch& operator=(const PoolScratch&) = delete;

  /// Memory for the lane's next chunk, usable in the order of `stream`.
  void allocate(std::uint32_t lane, cudaStream_t stream);
  const Scratch& operator[](std::uint32_t lane) const { return views_[lane]; }
  /// Gives the lane's memory back, once `stream` has come this far.
  void free(std::uint32_t lane, cudaStream_t stream);

  /// The number of pools, the settings of the first (all are made alike), and the high-water marks
  /// of used and of reserved memory in bytes, of all together.
  std::vector<Count> evidence() const;

 private:
  void* from_pool(std::uint32_t lane, std::uint64_t bytes, cudaStream_t stream) const;

  std::vector<MemoryPool> pools_;
  std::uint64_t bytes_, result_offset_;
  bool together_;  // input and result of a chunk in one allocation
  std::vector<Scratch> views_;
};

/// Chunk memory from cudaMalloc, with the same interface.
class MallocScratch {
 public:
  MallocScratch(const Workload& workload, std::uint32_t lanes);

  void allocate(std::uint32_t lane);
  const Scratch& operator[](std::uint32_t lane) const { return views_[lane]; }
  /// The caller has waited for all that uses the memory.
  void free(std::uint32_t lane);

 private:
  std::uint64_t bytes_, result_offset_;
  std::vector<DeviceBuffer> memory_;
  std::vector<Scratch> views_;
};

}  // namespace trilane
