// Scratch memory that every chunk allocates for itself and frees again: from a memory pool in
// stream order, or with cudaMalloc.
#pragma once

#include <cstdint>
#include <vector>

#include "common/gpu/handles.hpp"
#include "common/gpu/stages.hpp"
#include "common/workload/plan.hpp"

namespace trilane {

/// Chunk memory from a private pool. One allocation holds a chunk's input and result: two would
/// cost the host twice as many calls.
class PoolScratch {
 public:
  /// A pool for chunks of `workload`, of which each of `lanes` lanes holds one at a time.
  PoolScratch(const Workload& workload, std::uint32_t lanes);
  /// What an interrupted pass left allocated goes back with the pool.
  ~PoolScratch();
  PoolScratch(const PoolScratch&) = delete;
  PoolScratch& operator=(const PoolScratch&) = delete;

  /// Memory for the lane's next chunk, usable in the order of `stream`.
  void allocate(std::uint32_t lane, cudaStream_t stream);
  const Scratch& operator[](std::uint32_t lane) const { return views_[lane]; }
  /// Gives the lane's memory back, once `stream` has come this far.
  void free(std::uint32_t lane, cudaStream_t stream);

  /// The pool's settings and its used-memory high-water mark in bytes, read back from it.
  std::vector<Count> evidence() const;

 private:
  MemoryPool pool_;
  std::uint64_t bytes_, result_offset_;
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
