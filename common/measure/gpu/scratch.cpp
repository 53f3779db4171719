#include "common/measure/gpu/scratch.hpp"

#include "common/measure/gpu/runtime/phase.hpp"

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

// The reasons for PoolPolicy's defaults:
// - Release threshold at its maximum: the pool keeps its memory. With the runtime's default of 0 it
//   returns memory to the driver whenever the host waits, and the next pass pays for it again.
// - Reuse after events on: a lane that an event orders after another may take its memory for free.
// - Opportunistic reuse off, though the runtime enables it: every allocation would query the
//   progress of the other lanes.
// - Reuse by added dependencies off: the pool would make lanes wait for each other.
// - One allocation for a chunk's input and result: two would double the host's calls.
MemoryPool make_pool(const PoolPolicy& policy) {
  const Phase phase("pool");
  MemoryPool pool = make_pool(policy.threshold);
  set<int>(pool, cudaMemPoolReuseFollowEventDependencies, policy.follow_events);
  set<int>(pool, cudaMemPoolReuseAllowOpportunistic, policy.opportunistic);
  set<int>(pool, cudaMemPoolReuseAllowInternalDependencies, policy.internal);
  return pool;
}

PoolScratch::PoolScratch(const Workload& workload, std::uint32_t lanes, const PoolPolicy& policy)
    : layout_(layout_of(workload)),
      together_(allocations_per_chunk(layout_, policy) == 1),
      held_(lanes),
      views_(lanes) {
  const std::uint32_t pools = policy.per_lane ? lanes : 1;
  for (std::uint32_t i = 0; i < pools; ++i) pools_.push_back(make_pool(policy));
}

PoolScratch::~PoolScratch() {
  wait_if_unwinding();
  for (const Held& held : held_) {
    for (void* memory : {held.first, held.second}) {
      // Errors are ignored: an interrupted capture never allocated the memory.
      if (memory != nullptr && cudaFree(memory) != cudaSuccess) cudaGetLastError();
    }
  }
}

void PoolScratch::allocate(std::uint32_t lane, cudaStream_t stream) {
  const Phase phase("pool allocation");
  Held& held = held_[lane];
  if (together_) {
    held.first = from_pool(lane, layout_.scratch_bytes, stream);
    views_[lane] = scratch_view(held.first, layout_);
    return;
  }
  held.first = from_pool(lane, layout_.split, stream);
  held.second = from_pool(lane, layout_.scratch_bytes - layout_.split, stream);
  for (std::size_t i = 0; i < layout_.buffers.size(); ++i) {
    const std::uint64_t offset = layout_.buffers[i].scratch_offset;
    views_[lane].at[i] =
        offset < layout_.split ? held.first + offset : held.second + (offset - layout_.split);
  }
}

std::byte* PoolScratch::from_pool(std::uint32_t lane, std::uint64_t bytes,
                                  cudaStream_t stream) const {
  void* memory = nullptr;
  check(cudaMallocFromPoolAsync(&memory, bytes, pools_[lane % pools_.size()].get(), stream));
  return static_cast<std::byte*>(memory);
}

void PoolScratch::free(std::uint32_t lane, cudaStream_t stream) {
  Held& held = held_[lane];
  check(cudaFreeAsync(held.first, stream));
  held.first = nullptr;
  if (!together_) check(cudaFreeAsync(held.second, stream));
  held.second = nullptr;
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
    : layout_(layout_of(workload)), memory_(lanes), views_(lanes) {}

PassScratch::PassScratch(const Job& job) : job_(job) {
  for (const BufferPlace& place : job.layout.buffers) {
    const std::uint64_t pitch = pitch_of(job.workload, place);
    const std::uint64_t bytes = (job.layout.chunks - 1) * pitch + place.last_bytes;
    regions_.push_back({make_device_buffer(bytes), pitch, bytes});
  }
}

Scratch PassScratch::operator[](const Step& step) const {
  Scratch view;
  for (std::size_t i = 0; i < regions_.size(); ++i) {
    view.at[i] = regions_[i].memory.get() + step.chunk * regions_[i].pitch;
  }
  return view;
}

void PassScratch::enqueue_together(const StageRun& run, cudaStream_t stream) const {
  const Step first = steps_of(job_, run).front();
  const Region& region = regions_[first.buffer];
  const std::uint64_t stride = job_.layout.buffers[first.buffer].stride;
  switch (first.stage) {
    case Stage::copy_in:
      return copy_together(first, region.memory.get(), region.pitch, first.host_in, stride,
                           cudaMemcpyHostToDevice, stream);
    case Stage::copy_out:
      return copy_together(first, first.host_out, stride, region.memory.get(), region.pitch,
                           cudaMemcpyDeviceToHost, stream);
    case Stage::clear:
      return Operation(Operation::Clear{region.memory.get(), region.bytes, first.value})
          .enqueue(stream);
    case Stage::transform: break;
  }
}

void PassScratch::copy_together(const Step& first, std::byte* to, std::uint64_t to_pitch,
                                const std::byte* from, std::uint64_t from_pitch,
                                cudaMemcpyKind direction, cudaStream_t stream) const {
  const BufferPlace& place = job_.layout.buffers[first.buffer];
  const std::uint64_t chunks = job_.layout.chunks;
  if (chunks == 1 || (to_pitch == place.bytes && from_pitch == place.bytes)) {
    const std::uint64_t bytes = (chunks - 1) * place.bytes + place.last_bytes;
    return Operation(Operation::Copy{to, from, bytes, direction}).enqueue(stream);
  }
  const bool as_long = place.last_bytes == place.bytes;
  const std::uint64_t rows = as_long ? chunks : chunks - 1;
  check(cudaMemcpy2DAsync(to, to_pitch, from, from_pitch, place.bytes, rows, direction, stream));
  if (as_long) return;
  Operation(
      Operation::Copy{to + rows * to_pitch, from + rows * from_pitch, place.last_bytes, direction})
      .enqueue(stream);
}

}  // namespace trilane
