// The owners of scratch memory: allocated once per lane, by each chunk, or once for a whole pass.
#pragma once

#include "common/measure/gpu/runtime/handles.hpp"
#include "common/measure/gpu/runtime/homes.hpp"
#include "common/measure/gpu/stages.hpp"
#include "common/model/variant/plan.hpp"

namespace trilane {

/// Memory allocated once per lane and used by its chunks in turn.
class LaneScratch {
 public:
  /// Allocates room for the largest chunk of `workload` in each of `lanes` lanes, on its GPU.
  LaneScratch(const Workload& workload, std::uint32_t lanes) {
    const Layout layout = layout_of(workload);
    const Homes homes(workload);
    for (std::uint32_t lane = 0; lane < lanes; ++lane) {
      homes.enter(lane);
      memory_.push_back(make_device_buffer(layout.scratch_bytes));
      views_.push_back(scratch_view(memory_.back().get(), layout));
    }
    homes.leave();
  }

  const Scratch& operator[](std::uint32_t lane) const { return views_[lane]; }

 private:
  std::vector<DeviceBuffer> memory_;
  std::vector<Scratch> views_;
};

/// Returns a pool of the current device with the settings of `policy`.
MemoryPool make_pool(const PoolPolicy& policy);

/// Memory that each chunk allocates and frees, from private pools.
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

/// The same from cudaMalloc.
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

/// Memory allocated once for a whole pass. The chunks lie side by side, as on the host, so one copy
/// moves all of them.
class PassScratch {
 public:
  explicit PassScratch(const Job& job);

  /// Returns the view of the step's chunk. In Trilane's own pipeline a chunk may start at any word.
  Scratch operator[](const Step& step) const;

  /// Enqueues a copy or memset for all chunks at once. Chunks with gaps take one copy of rows, and
  /// another copy for a last chunk of a different size.
  void enqueue_together(const StageRun& run, cudaStream_t stream) const;

 private:
  /// One buffer of all chunks.
  struct Region {
    DeviceBuffer memory;
    std::uint64_t pitch, bytes;
  };

  void copy_together(const Step& first, std::byte* to, std::uint64_t to_pitch,
                     const std::byte* from, std::uint64_t from_pitch, cudaMemcpyKind direction,
                     cudaStream_t stream) const;

  const Job& job_;
  std::vector<Region> regions_;
};

}  // namespace trilane
