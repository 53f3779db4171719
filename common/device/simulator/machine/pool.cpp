#include "common/device/simulator/machine/pool.hpp"

#include "common/device/simulator/machine/call.hpp"
#include "common/device/simulator/machine/graph_memory.hpp"

namespace trilane::simulator {

namespace {

/// Spends the time of an allocation or a free. The profile measures both together; each costs half.
void spend_call(Machine& m, CUmemPoolHandle_st& pool, const CUstream_st& stream) {
  pool.streams.insert(stream.number);
  const auto& costs = m.settings.profile.memory;
  const double pair = pool.streams.size() < 2         ? costs.one_lane_us
                      : pool.reuse_opportunistic != 0 ? costs.shared_us
                                                      : costs.shared_no_opportunistic_us;
  m.timeline.spend(pair / 2);
}

CUmemPoolHandle_st* owner_of(Machine& m, const Block& block) {
  if (block.place != Place::pool) return nullptr;
  CUmemPoolHandle_st& by_default = m.gpu(block.device).default_pool;
  if (by_default.number == block.owner) return &by_default;
  const auto found = std::ranges::find(m.pools, block.owner, &CUmemPoolHandle_st::number);
  return found == m.pools.end() ? nullptr : found->get();
}

struct Live {
  Range range;                         ///< empty if there is none
  CUmemPoolHandle_st* pool = nullptr;  ///< null: of a graph
};

Live live_at(Machine& m, const Block& block, const void* memory) {
  CUmemPoolHandle_st* const pool = owner_of(m, block);
  if (pool == nullptr) return {live_graph_memory(m, memory)};
  const auto live = pool->live.find(reinterpret_cast<std::uintptr_t>(memory));
  return {live == pool->live.end() ? Range{} : live->second, pool};
}

/// Ends its life by the operations of `release`, or by the host if none exist.
void end_life(Machine& m, const Live& live, const Block& block, const Frontier& release) {
  if (live.pool == nullptr) {
    return end_graph_life(m, reinterpret_cast<const void*>(live.range.begin), release);
  }
  live.pool->used -= live.range.size();
  live.pool->live.erase(live.range.begin);
  live.pool->freed.push_back({block.range, release.empty() ? nullptr : release.front()});
}

void forget_destroyed(Machine& m) {
  std::erase_if(m.pools, [](const auto& pool) { return pool->destroyed && pool->held == 0; });
}

using Freed = CUmemPoolHandle_st::Freed;

bool comes_after(const Frontier& tail, const Operation& operation) {
  return std::ranges::any_of(tail, [&](const OperationPtr& last) {
    return last.get() == &operation || OperationOrder::before(operation.position, last->position);
  });
}

bool host_saw(const Machine& m, const Freed& freed) {
  return !freed.release || m.order.host_knows(freed.release->position);
}

/// Takes the most recently freed block that is large enough and permitted.
template <typename Permitted>
std::optional<Freed> take(CUmemPoolHandle_st& pool, std::uint64_t bytes, Permitted permitted) {
  for (auto freed = pool.freed.rbegin(); freed != pool.freed.rend(); ++freed) {
    if (freed->block.size() < bytes || !permitted(*freed)) continue;
    const Freed taken = *freed;
    pool.freed.erase(std::next(freed).base());
    return taken;
  }
  return std::nullopt;
}

std::optional<Freed> from_device(Machine& m, CUmemPoolHandle_st& pool, std::uint64_t bytes) {
  const std::uint64_t missing = in_pool_steps(pool.held + bytes) - pool.reserved;
  if (!m.memory.take(missing, pool.device)) return std::nullopt;
  const auto block = m.memory.allocate(bytes, Place::pool, pool.number, pool.device);
  if (!block) refuse(cudaErrorMemoryAllocation);
  m.hazards.allocated(*block);
  pool.held += bytes;
  pool.reserved += missing;
  pool.reserved_high = std::max(pool.reserved_high, pool.reserved);
  if (missing > 0) m.timeline.spend(m.settings.profile.memory.first_us);
  return Freed{.block = block->range, .release = nullptr};
}

/// Takes a block of at least `bytes` for an operation on `stream`, which must come after the
/// block's release: a free one that may be reused (CUDA Programming Guide, "Memory Reuse
/// Policies"), or a new one. Refuses (cudaErrorMemoryAllocation) if there is neither.
Freed take_block(Machine& m, CUmemPoolHandle_st& pool, std::uint64_t bytes,
                 const CUstream_st& stream) {
  const Frontier tail = m.tail_of(stream);
  const auto in_order = [&](const Freed& freed) {
    if (host_saw(m, freed) || freed.release->stream == stream.number) return true;
    return pool.reuse_follow_event_dependencies != 0 && comes_after(tail, *freed.release);
  };
  // The draw decides whether the device has already run the free.
  const auto has_run = [&](const Freed& freed) { return freed.release->done && m.draw->may(); };
  const auto later = [](const Freed&) { return true; };
  std::optional<Freed> block = take(pool, bytes, in_order);
  if (!block && pool.reuse_opportunistic != 0) block = take(pool, bytes, has_run);
  if (!block) block = from_device(m, pool, bytes);
  if (!block && pool.reuse_internal_dependencies != 0) block = take(pool, bytes, later);
  require(block.has_value(), cudaErrorMemoryAllocation);
  return *block;
}

}  // namespace

Task allocation_task(const Range& range) {
  return {.kind = Kind::allocate,
          .name = fmt::format("allocation of {} bytes", range.size()),
          .accesses = {{range, Touch::allocate}}};
}

Task release_task(const Range& range) {
  return {.kind = Kind::release,
          .name = fmt::format("free of {} bytes", range.size()),
          .accesses = {{range, Touch::release}}};
}

CUmemPoolHandle_st& default_pool(Machine& m, int device) {
  CUmemPoolHandle_st& pool = m.gpu(device).default_pool;
  if (pool.number == 0) pool.number = ++m.numbered;
  return pool;
}

bool is_default_pool(const Machine& m, cudaMemPool_t handle) {
  const auto has_it = [handle](const Gpu& device) { return &device.default_pool == handle; };
  return std::ranges::any_of(m.gpus, has_it);
}

CUmemPoolHandle_st& pool_of(Machine& m, cudaMemPool_t handle) {
  if (is_default_pool(m, handle)) return *handle;
  CUmemPoolHandle_st& pool = object_of(m.pools, handle);
  if (pool.destroyed) refuse(cudaErrorInvalidValue);
  return pool;
}

const std::set<int>* sharers_of(Machine& m, const Block& block) {
  if (block.place == Place::graph) {
    const auto& arenas = m.gpu(block.device).graph_memory.arenas;
    return &arenas.at(block.owner).slots.at(block.range.begin).sharers;
  }
  const CUmemPoolHandle_st* const pool = owner_of(m, block);
  return pool == nullptr ? nullptr : &pool->sharers;
}

void* allocate_from(Machine& m, CUmemPoolHandle_st& pool, std::uint64_t bytes,
                    CUstream_st& stream) {
  spend_call(m, pool, stream);
  const auto [block, release] = take_block(m, pool, bytes, stream);
  if (release) merge(stream.tail, {release});
  const Range range{block.begin, block.begin + bytes};
  pool.live[range.begin] = range;
  pool.used += bytes;
  pool.used_high = std::max(pool.used_high, pool.used);
  m.enqueue(allocation_task(range), stream);
  return reinterpret_cast<void*>(range.begin);
}

void free_in_order(Machine& m, void* memory, CUstream_st& stream) {
  const Block block = m.memory.find(memory);
  const bool pageable = block.place == Place::pageable, in_order = is_stream_ordered(block.place);
  require(pageable || block.range.begin == reinterpret_cast<std::uintptr_t>(memory));
  const Live live = live_at(m, block, memory);
  if (live.range.size() > 0) {
    if (live.pool != nullptr) spend_call(m, *live.pool, stream);
    m.enqueue(release_task(live.range), stream);
    end_life(m, live, block, stream.tail);
  } else if (block.place == Place::device) {
    m.enqueue(release_task(block.range), stream);
    m.keep_until(stream.tail,
                 std::shared_ptr<void>(memory, [&m](void* freed) { m.memory.release(freed); }));
  } else if (in_order || pageable) {  // the hazard check reports if it had been freed before
    m.refuse_task(release_task(in_order ? block.range : range_of(memory, 1)),
                  fmt::format(" on stream {}", stream.number));
  } else {
    refuse(cudaErrorInvalidValue);
  }
}

bool release_pool_memory(Machine& m, void* memory) {
  const Block block = m.memory.find(memory);
  if (!is_stream_ordered(block.place)) return false;
  if (block.range.begin != reinterpret_cast<std::uintptr_t>(memory)) refuse(cudaErrorInvalidValue);
  const Live live = live_at(m, block, memory);
  const bool is_live = live.range.size() > 0;
  // CUDA Runtime API, cudaFree: the caller has waited for all uses.
  m.hazards.released_by_host(is_live ? live.range : block.range, m.order, "cudaFree");
  require(is_live);
  end_life(m, live, block, {});
  return true;
}

void destroy(Machine& m, CUmemPoolHandle_st& pool) {
  pool.destroyed = true;
  trim(m, pool, 0);
  forget_destroyed(m);
}

void pools_at_synchronisation(Machine& m) {
  const auto look_at = [&m](CUmemPoolHandle_st& pool) {
    const std::uint64_t before = pool.reserved;
    trim(m, pool, pool.destroyed ? 0 : pool.release_threshold);
    if (pool.reserved < before) m.timeline.spend(m.settings.profile.memory.trim_us);
  };
  for (Gpu& device : m.gpus) look_at(device.default_pool);
  for (const auto& pool : m.pools) look_at(*pool);
  forget_destroyed(m);
  collect_graph_memory(m);
}

std::uint64_t in_pool_steps(std::uint64_t bytes) {
  constexpr std::uint64_t step = 32 << 20;
  return (bytes + step - 1) / step * step;
}

void trim(Machine& m, CUmemPoolHandle_st& pool, std::uint64_t keep) {
  std::erase_if(pool.freed, [&](const Freed& freed) {
    const std::uint64_t left = pool.held - freed.block.size();
    const bool spare = in_pool_steps(pool.held) > keep && in_pool_steps(left) >= keep;
    if (!spare || !host_saw(m, freed)) return false;
    m.memory.release(reinterpret_cast<const void*>(freed.block.begin));
    pool.held = left;
    return true;
  });
  m.memory.give_back(pool.reserved - in_pool_steps(pool.held), pool.device);
  pool.reserved = in_pool_steps(pool.held);
}

}  // namespace trilane::simulator
