#include "common/device/simulator/machine/pool.hpp"

#include <algorithm>
#include <optional>

namespace trilane::simulator {

namespace {

using Freed = CUmemPoolHandle_st::Freed;

bool comes_after(const Frontier& tail, const Operation& operation) {
  return std::ranges::any_of(tail, [&](const OperationPtr& last) {
    return last.get() == &operation || Order::before(operation.position, last->position);
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
  if (!m.memory.take(missing)) return std::nullopt;
  const auto block = m.memory.allocate(bytes, Place::pool, pool.number);
  if (!block) refuse(cudaErrorMemoryAllocation);
  m.hazards.allocated(*block);
  pool.held += bytes;
  pool.reserved += missing;
  pool.reserved_high = std::max(pool.reserved_high, pool.reserved);
  if (missing > 0) m.timeline.spend(m.settings.profile.memory.first_us);
  return Freed{.block = block->range, .release = nullptr};
}

}  // namespace

std::uint64_t in_pool_steps(std::uint64_t bytes) {
  constexpr std::uint64_t step = 32 << 20;
  return (bytes + step - 1) / step * step;
}

Freed take_block(Machine& m, CUmemPoolHandle_st& pool, std::uint64_t bytes,
                 const CUstream_st& stream) {
  const Frontier tail = m.tail_of(stream);
  const auto in_order = [&](const Freed& freed) {
    if (host_saw(m, freed) || freed.release->stream == stream.number) return true;
    return pool.reuse_follow_event_dependencies != 0 && comes_after(tail, *freed.release);
  };
  if (const auto free = take(pool, bytes, in_order)) return *free;
  // The draw decides whether the device has already run the free.
  const auto has_run = [&](const Freed& freed) { return freed.release->done && m.draw->may(); };
  if (pool.reuse_opportunistic != 0) {
    if (const auto passed = take(pool, bytes, has_run)) return *passed;
  }
  if (const auto fresh = from_device(m, pool, bytes)) return *fresh;
  if (pool.reuse_internal_dependencies != 0) {
    if (const auto later = take(pool, bytes, [](const Freed&) { return true; })) return *later;
  }
  refuse(cudaErrorMemoryAllocation);
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
  m.memory.give_back(pool.reserved - in_pool_steps(pool.held));
  pool.reserved = in_pool_steps(pool.held);
}

}  // namespace trilane::simulator
