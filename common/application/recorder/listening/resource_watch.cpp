#include "common/application/recorder/listening/resource_watch.hpp"

#include <cupti.h>

#include "common/application/recorder/driver/driver_surroundings.hpp"

namespace trilane {
namespace {

/// Free device memory before the thread's call; 0: it is not measured.
thread_local std::size_t free_before = 0;

std::size_t free_now() {
  std::size_t free = 0, all = 0;
  return driver_functions().cuMemGetInfo(&free, &all) == CUDA_SUCCESS ? free : 0;
}

constexpr std::uint64_t most_followed = 20'000, seldom = 64;
constexpr std::size_t most_samples = 64, most_pools = 100;
constexpr std::uint64_t unit = 512;  // of allocations in a pool

bool ask(std::uint64_t pool, CUmemPool_attribute attribute, std::uint64_t& value) {
  const auto handle = reinterpret_cast<CUmemoryPool>(pool);
  return driver_functions().cuMemPoolGetAttribute(handle, attribute, &value) == CUDA_SUCCESS;
}

bool is_blocking(const ObservedCall& call) {
  return stream_behind(call.stream).kind != StreamKind::non_blocking;
}

/// Each thread has a default stream of its own.
std::uint64_t stream_of(const ObservedCall& call) {
  return call.stream == per_thread_handle ? ~call.thread : call.stream;
}

void pass(const auto& from, auto& to) {
  for (const auto& [stream, free] : from) to[stream] = std::max(to[stream], free);
}

/// Takes the range out of free blocks, and leaves what lies around it.
void use(std::uint64_t base, std::uint64_t end, auto& free) {
  auto at = free.upper_bound(base);
  if (at != free.begin()) --at;
  while (at != free.end() && at->first < end) {
    auto [from, block] = *at;
    const std::uint64_t to = from + block.bytes;
    at = to > base ? free.erase(at) : std::next(at);
    if (to <= base) continue;
    if (to > end) (free[end] = block).bytes = to - end;
    if (from < base) (free[from] = block).bytes = base - from;
  }
}

/// Notes `step` more allocations. Returns true if the latest is a sample.
bool is_sample(RecordedPool& pool, std::uint64_t step) {
  const std::uint64_t before = pool.allocations / pool.every;
  pool.allocations += step;
  if (pool.allocations / pool.every == before) return false;
  pool.samples.push_back(pool.reserved);
  if (pool.samples.size() <= most_samples) return true;
  for (std::size_t i = 1; i < pool.samples.size(); i += 2) pool.samples[i / 2] = pool.samples[i];
  pool.samples.resize(pool.samples.size() / 2);
  pool.every *= 2;
  return true;
}

}  // namespace

void GraphCosts::enters(const ListenedCall& what, const void* parameters, bool captures) {
  free_before = 0;
  bool takes = what.graph == GraphCall::made;
  if (what.change == nullptr && unlaunched_ > 0) {
    ObservedCall call;
    what.decode(parameters, call);
    const auto found = live_.find(call.executable);
    takes = found != live_.end() && found->second.launches == 0;
  }
  if (takes && !captures) free_before = free_now();
}

std::uint64_t GraphCosts::taken() {
  const std::size_t before = std::exchange(free_before, 0), now = before == 0 ? 0 : free_now();
  return now == 0 ? 0 : before - std::min(before, now);
}

/// Without a stack it counts where graphs of the same size were made. A handle that is known was
/// released unheard.
void GraphCosts::made(const ObservedCall& call, std::uint64_t nodes, std::uint32_t era) {
  released(call.executable, 0);
  const auto found = std::ranges::find_if(sites_, [&](const Site& one) {
    return call.stack == nullptr ? one.costs.nodes == nodes : one.stack == call.stack;
  });
  Site& site = found == sites_.end() ? sites_.emplace_back(call.stack) : *found;
  const auto before = live_.find(std::exchange(site.latest, call.executable));
  site.costs.again += before != live_.end() && before->second.launches > 0;
  live_[call.executable] = {&site, era};
  ++unlaunched_;
}

void GraphCosts::released(std::uint64_t executable, std::uint32_t era) {
  const auto found = live_.find(executable);
  if (found == live_.end()) return;
  const auto& [site, made_in, launches] = found->second;
  const bool heard = era != 0 && made_in == era;
  ++site->costs.destroyed;
  site->costs.never += heard && launches == 0;
  site->costs.once += heard && launches == 1;
  unlaunched_ -= launches == 0;
  live_.erase(found);
}

void GraphCosts::note(GraphCall what, const ObservedCall& call, std::uint64_t bytes,
                      std::uint64_t nodes, std::uint32_t era) {
  if (what == GraphCall::released) return released(call.executable, era);
  if (what == GraphCall::made) made(call, nodes, era);
  const auto found = live_.find(call.executable);
  if (found == live_.end()) return;
  auto& [site, made_in, launches] = found->second;
  RecordedExecutables& costs = site->costs;
  if (nodes > 0) costs.nodes = nodes;
  costs.bytes += bytes;
  const auto count = [&](std::uint64_t& calls, double& us) {
    ++calls;
    us += call.end_us - call.begin_us;
  };
  if (what == GraphCall::made) count(costs.made, costs.instantiate_us);
  if (what == GraphCall::updated) count(costs.updates, costs.update_us);
  if (what == GraphCall::node_set || what == GraphCall::lost) count(costs.sets, costs.set_us);
  if (what != GraphCall::launched) return;
  count(costs.launches, costs.launch_us);
  unlaunched_ -= launches == 0;
  costs.reused += launches++ > 0 && site->latest != call.executable;
}

void GraphCosts::add_to(RecordedResources& recorded, StackNumbers& stacks) const {
  for (const Site& site : sites_) {
    RecordedExecutables& one = recorded.executables.emplace_back(site.costs);
    if (site.stack != nullptr) one.stack = stacks.number_of(*site.stack, recorded.source);
  }
}

bool PoolWatch::hears(CallKind kind, std::uint64_t stream) const {
  if (kind == CallKind::allocate_async) return true;
  return follows_.load(std::memory_order_relaxed) &&
         (!is_operation(kind) || frees(kind) || stream == legacy_handle);
}

bool PoolWatch::grows(const ObservedCall& call) {
  if (replays_) return false;
  if (allocations_ == most_followed) missed();
  if (++allocations_ > most_followed && allocations_ % seldom != 0) return false;
  follows_ = !missed_;
  std::uint64_t reserved = 0;
  Pool* const pool = pool_of(call);
  if (!pool || !ask(pool->handle, CU_MEMPOOL_ATTR_RESERVED_MEM_CURRENT, reserved)) return false;
  RecordedPool& recorded = pool->recorded;
  const std::uint64_t before = std::exchange(recorded.reserved, reserved);
  const std::uint64_t more = reserved > before ? reserved - before : 0;
  if (more > 0) grown_[call.thread] = {pool, more, cause_of(*pool, call)};
  pool->given_back -= std::min(pool->given_back, more);
  if (is_sample(recorded, allocations_ > most_followed ? seldom : 1) || more > 0) {
    ask(pool->handle, CU_MEMPOOL_ATTR_RESERVED_MEM_HIGH, recorded.reserved_most);
    ask(pool->handle, CU_MEMPOOL_ATTR_USED_MEM_HIGH, recorded.used_most);
    ask(pool->handle, CU_MEMPOOL_ATTR_USED_MEM_CURRENT, recorded.used);
    ask(pool->handle, CU_MEMPOOL_ATTR_RELEASE_THRESHOLD, recorded.threshold);
  }
  if (!follows_) return false;
  const std::uint64_t bytes = (call.bytes + unit - 1) / unit * unit;
  use(call.destination, call.destination + bytes, pool->free);
  live_[call.destination] = {pool, bytes};
  return more > 0 && stacks_left_-- > 0;
}

PoolWatch::Pool* PoolWatch::pool_of(const ObservedCall& call) {
  std::uint64_t handle = call.pool;
  if (handle == 0) {
    driver_functions().cuPointerGetAttribute(&handle, CU_POINTER_ATTRIBUTE_MEMPOOL_HANDLE,
                                             call.destination);
  }
  const auto known = std::ranges::find_if(
      pools_, [&](const Pool& pool) { return pool.alive && pool.handle == handle; });
  if (known != pools_.end()) return &*known;
  return handle == 0 || pools_.size() == most_pools ? nullptr
                                                    : &pools_.emplace_back(Pool{.handle = handle});
}

/// The driver uses a block again if the allocation is ordered after its free.
GrowthCause PoolWatch::cause_of(const Pool& pool, const ObservedCall& call) {
  if (!follows_) return GrowthCause::unheard;
  if (pool.given_back > 0) return GrowthCause::given_back;
  Clock clock = behind(stream_of(call));
  pass(host_, clock);
  const std::uint64_t by_legacy = call.stream == legacy_handle ? frees_
                                  : is_blocking(call)          ? std::max(legacy_, legacy_done_)
                                                               : legacy_done_;
  std::uint64_t largest[2]{}, sum = 0;  // apart and ordered
  for (const auto& [base, block] : pool.free) {
    const auto latest = clock.find(block.stream);
    const bool ordered = block.number <= done_ ||
                         (latest != clock.end() && block.number <= latest->second) ||
                         (block.blocking && block.number <= by_legacy);
    largest[ordered] = std::max(largest[ordered], block.bytes);
    sum += block.bytes;
  }
  if (sum < call.bytes) return GrowthCause::needed;
  return largest[true] < call.bytes && largest[false] >= call.bytes ? GrowthCause::other_stream
                                                                    : GrowthCause::sizes;
}

PoolWatch::Clock PoolWatch::behind(std::uint64_t stream) {
  Clock clock = streams_[stream];
  clock[stream] = frees_;
  return clock;
}

void PoolWatch::took(const ObservedCall& call) {
  if (const auto grown = grown_.extract(call.thread)) {
    const auto& [pool, bytes, cause] = grown.mapped();
    PoolGrowth& growth = pool->growth[{cause, call.stack}];
    growth.cause = cause;
    ++growth.count;
    growth.bytes += bytes;
  }
  if (!follows_) return;
  const std::uint64_t stream = stream_of(call);
  if (call.kind == CallKind::record_event) events_[call.event] = behind(stream);
  if (call.kind == CallKind::wait_event) pass(events_[call.event], streams_[stream]);
  if (frees(call.kind)) freed(call, stream);
  if (call.function == CUPTI_DRIVER_TRACE_CBID_cuMemPoolDestroy) {
    for (Pool& pool : pools_) pool.alive = pool.alive && pool.handle != call.pool;
  }
  waited(call, stream);
  if (call.stream != legacy_handle) return;
  if (acts_in_stream(call.kind)) legacy_ = frees_;
  if (call.done || call.kind == CallKind::synchronize_stream) legacy_done_ = frees_;
}

void PoolWatch::freed(const ObservedCall& call, std::uint64_t stream) {
  const auto block = live_.extract(call.destination);
  if (!block) return;
  const auto& [pool, bytes, cause] = block.mapped();
  pool->free[call.destination] = {bytes, stream, ++frees_, is_blocking(call)};
}

/// Free memory beyond the threshold goes back to the device at such waits.
void PoolWatch::waited(const ObservedCall& call, std::uint64_t stream) {
  const HostWait wait = traits_of(call.kind).wait;
  if (wait == HostWait::nothing) return;
  if (wait == HostWait::everything) done_ = frees_;
  if (call.event != 0) pass(events_[call.event], host_);
  if (call.stream != 0) pass(behind(stream), host_);
  if (!only_waits(call.kind)) return;
  for (Pool& pool : pools_) {
    RecordedPool& recorded = pool.recorded;
    const std::uint64_t before = recorded.reserved;
    if (!pool.alive || before <= recorded.threshold) continue;
    ask(pool.handle, CU_MEMPOOL_ATTR_RESERVED_MEM_CURRENT, recorded.reserved);
    if (recorded.reserved >= before) continue;
    pool.given_back += before - recorded.reserved;
    pool.free.clear();
  }
}

void PoolWatch::missed(bool replays) {
  missed_ = true;
  replays_ = replays_ || replays;
  follows_ = false;
}

void PoolWatch::add_to(RecordedResources& all, StackNumbers& numbers) const {
  for (const Pool& pool : pools_) {
    RecordedPool& recorded = all.pools.emplace_back(pool.recorded);
    for (const auto& [place, growth] : pool.growth) {
      PoolGrowth& added = recorded.growth.emplace_back(growth);
      if (place.second) added.stack = numbers.number_of(*place.second, all.source);
    }
  }
}

}  // namespace trilane
