#include "common/gpu/scratch/chunk_scratch.hpp"

#include <utility>

#include "common/gpu/runtime/phase.hpp"

namespace trilane {

namespace {

template <typename Value>
void set(const MemoryPool& pool, cudaMemPoolAttr attribute, Value value) {
  check(cudaMemPoolSetAttribute(pool.get(), attribute, &value));
}

template <typename Value>
std::uint64_t get(const MemoryPool& pool, cudaMemPoolAttr attribute) {
  Value value{};
  check(cudaMemPoolGetAttribute(pool.get(), attribute, &value));
  return static_cast<std::uint64_t>(value);
}

}  // namespace

// Why PoolPolicy has these settings where nothing else is asked for:
// - Release threshold at its maximum: the pool keeps its memory. With the runtime's default of 0 it
//   returns memory to the driver whenever the host waits, and the next pass pays for it again.
// - Reuse after events on: a lane ordered after another by an event may take its memory for free.
// - Opportunistic reuse off, though the runtime has it on: every allocation would ask how far the
//   other lanes have come.
// - Reuse by added dependencies off: the pool would make lanes wait for each other.
// - One allocation for a chunk's input and result: two would double the host's calls.
MemoryPool make_pool(const PoolPolicy& policy) {
  const Phase phase("pool");
  cudaMemPoolProps properties{};
  properties.allocType = cudaMemAllocationTypePinned;
  properties.location.type = cudaMemLocationTypeDevice;
  check(cudaGetDevice(&properties.location.id));
  cudaMemPool_t handle = nullptr;
  check(cudaMemPoolCreate(&handle, &properties));
  MemoryPool pool(handle);
  set<std::uint64_t>(pool, cudaMemPoolAttrReleaseThreshold, policy.threshold);
  set<int>(pool, cudaMemPoolReuseFollowEventDependencies, policy.follow_events);
  set<int>(pool, cudaMemPoolReuseAllowOpportunistic, policy.opportunistic);
  set<int>(pool, cudaMemPoolReuseAllowInternalDependencies, policy.internal);
  return pool;
}

PoolScratch::PoolScratch(const Workload& workload, std::uint32_t lanes, const PoolPolicy& policy)
    : bytes_(workload.scratch_bytes()),
      result_offset_(result_offset(workload)),
      together_(policy.allocations == 1),
      views_(lanes) {
  const std::uint32_t pools = policy.per_lane ? lanes : 1;
  for (std::uint32_t i = 0; i < pools; ++i) pools_.push_back(make_pool(policy));
}

PoolScratch::~PoolScratch() {
  wait_if_unwinding();
  for (const Scratch& view : views_) {
    for (void* memory : {view.in, together_ ? nullptr : view.out}) {
      // Errors are ignored: an interrupted capture never allocated the memory.
      if (memory != nullptr && cudaFree(memory) != cudaSuccess) cudaGetLastError();
    }
  }
}

void PoolScratch::allocate(std::uint32_t lane, cudaStream_t stream) {
  const Phase phase("pool allocation");
  if (together_) {
    views_[lane] = scratch_view(from_pool(lane, bytes_, stream), result_offset_);
    return;
  }
  views_[lane].in = from_pool(lane, result_offset_, stream);
  views_[lane].out = from_pool(lane, bytes_ - result_offset_, stream);
}

std::byte* PoolScratch::from_pool(std::uint32_t lane, std::uint64_t bytes,
                                  cudaStream_t stream) const {
  void* memory = nullptr;
  check(cudaMallocFromPoolAsync(&memory, bytes, pools_[lane % pools_.size()].get(), stream));
  return static_cast<std::byte*>(memory);
}

void PoolScratch::free(std::uint32_t lane, cudaStream_t stream) {
  Scratch& view = views_[lane];
  check(cudaFreeAsync(view.in, stream));
  view.in = nullptr;
  if (!together_) check(cudaFreeAsync(view.out, stream));
  view.out = nullptr;
}

std::vector<Count> PoolScratch::evidence() const {
  const MemoryPool& first = pools_.front();
  std::uint64_t used_high = 0, reserved_high = 0;
  for (const MemoryPool& pool : pools_) {
    used_high += get<std::uint64_t>(pool, cudaMemPoolAttrUsedMemHigh);
    reserved_high += get<std::uint64_t>(pool, cudaMemPoolAttrReservedMemHigh);
  }
  return {
      {"pools", pools_.size()},
      {"release threshold", get<std::uint64_t>(first, cudaMemPoolAttrReleaseThreshold)},
      {"reuse after events", get<int>(first, cudaMemPoolReuseFollowEventDependencies)},
      {"reuse opportunistic", get<int>(first, cudaMemPoolReuseAllowOpportunistic)},
      {"reuse by added order", get<int>(first, cudaMemPoolReuseAllowInternalDependencies)},
      {"pool used high bytes", used_high},
      {"pool reserved high bytes", reserved_high},
  };
}

MallocScratch::MallocScratch(const Workload& workload, std::uint32_t lanes)
    : bytes_(workload.scratch_bytes()), result_offset_(result_offset(workload)), memory_(lanes) {}

}  // namespace trilane
