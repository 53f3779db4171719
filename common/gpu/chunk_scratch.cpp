#include "common/gpu/chunk_scratch.hpp"

#include <utility>

#include "common/gpu/lane_scratch.hpp"

namespace trilane {

namespace {

MemoryPool make_pool() {
  cudaMemPoolProps properties{};
  properties.allocType = cudaMemAllocationTypePinned;
  properties.location.type = cudaMemLocationTypeDevice;
  check(cudaGetDevice(&properties.location.id));
  cudaMemPool_t pool = nullptr;
  check(cudaMemPoolCreate(&pool, &properties));
  return MemoryPool(pool);
}

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

PoolScratch::PoolScratch(const Workload& workload, std::uint32_t lanes)
    : pool_(make_pool()),
      bytes_(workload.scratch_bytes()),
      result_offset_(result_offset(workload)),
      views_(lanes) {
  // Keep what was reserved: with the default of 0 every wait of the host gives memory back to the
  // driver, and the next pass pays for it again.
  set<std::uint64_t>(pool_, cudaMemPoolAttrReleaseThreshold, UINT64_MAX);
  // A lane that is ordered after another by an event may take its memory: no cost, less memory.
  set<int>(pool_, cudaMemPoolReuseFollowEventDependencies, 1);
  // Off, though on by default: each allocation would ask how far the other lanes have come, and
  // that is paid for at every chunk.
  set<int>(pool_, cudaMemPoolReuseAllowOpportunistic, 0);
  // Off: the pool would order one lane after another to reuse its memory, and lanes that wait for
  // each other are no lanes.
  set<int>(pool_, cudaMemPoolReuseAllowInternalDependencies, 0);
}

PoolScratch::~PoolScratch() {
  for (const Scratch& view : views_) {
    // Not looked at: where a capture was broken off the memory was never there.
    if (view.in != nullptr && cudaFree(view.in) != cudaSuccess) cudaGetLastError();
  }
}

void PoolScratch::allocate(std::uint32_t lane, cudaStream_t stream) {
  void* memory = nullptr;
  check(cudaMallocFromPoolAsync(&memory, bytes_, pool_.get(), stream));
  views_[lane] = scratch_view(memory, result_offset_);
}

void PoolScratch::free(std::uint32_t lane, cudaStream_t stream) {
  check(cudaFreeAsync(std::exchange(views_[lane], {}).in, stream));
}

std::vector<Count> PoolScratch::evidence() const {
  return {
      {"release threshold", get<std::uint64_t>(pool_, cudaMemPoolAttrReleaseThreshold)},
      {"reuse after events", get<int>(pool_, cudaMemPoolReuseFollowEventDependencies)},
      {"reuse opportunistic", get<int>(pool_, cudaMemPoolReuseAllowOpportunistic)},
      {"reuse by added order", get<int>(pool_, cudaMemPoolReuseAllowInternalDependencies)},
      {"pool used high bytes", get<std::uint64_t>(pool_, cudaMemPoolAttrUsedMemHigh)},
  };
}

MallocScratch::MallocScratch(const Workload& workload, std::uint32_t lanes)
    : bytes_(workload.scratch_bytes()),
      result_offset_(result_offset(workload)),
      memory_(lanes),
      views_(lanes) {}

void MallocScratch::allocate(std::uint32_t lane) {
  memory_[lane] = make_device_buffer(bytes_);
  views_[lane] = scratch_view(memory_[lane].get(), result_offset_);
}

void MallocScratch::free(std::uint32_t lane) { check(cudaFree(memory_[lane].release())); }

}  // namespace trilane
