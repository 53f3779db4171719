#include "common/measure/calibrate/bed.hpp"
#include "common/measure/gpu/scratch.hpp"

namespace trilane {
namespace {

/// Sizes lie close together around the driver's page size of 2 MiB.
constexpr std::array<std::uint64_t, 7> memory_sizes{4 << 10, 1 << 20,  (2 << 20) - 256, 2 << 20,
                                                    8 << 20, 16 << 20, 64 << 20};

struct Pair {
  double make, destroy;
};

template <typename Make>
Pair made_and_destroyed(int readings, Make make) {
  std::vector<double> makes, destroys;
  for (int i = 0; i < readings; ++i) {
    decltype(make()) thing;
    evict_host_caches();
    makes.push_back(timed_us([&] { thing = make(); }));
    evict_host_caches();
    destroys.push_back(timed_us([&] { thing.reset(); }));
  }
  return {median(makes), median(destroys)};
}

void measure_allocations(Profile& profile) {
  // Another small allocation exists, as in a typical program, so the driver keeps a page.
  const DeviceBuffer beside = make_device_buffer(memory_sizes.front());
  for (std::uint64_t bytes : memory_sizes) {
    const Pair device = made_and_destroyed(9, [&] { return make_device_buffer(bytes); });
    profile.memory.malloc.push_back({bytes, device.make});
    profile.memory.free.push_back({bytes, device.destroy});
    const Pair host = made_and_destroyed(5, [&] { return make_pinned_buffer(bytes); });
    profile.memory.malloc_host.push_back({bytes, host.make});
    profile.memory.free_host.push_back({bytes, host.destroy});
  }
}

MemoryPool pool_with(std::uint64_t threshold, bool opportunistic) {
  return make_pool({.threshold = threshold, .opportunistic = opportunistic, .internal = true});
}

/// Allocates from a pool; the memory is returned even if the probe fails.
DeviceBuffer from_pool(const MemoryPool& pool, std::uint64_t bytes, cudaStream_t stream) {
  void* memory = nullptr;
  check(cudaMallocFromPoolAsync(&memory, bytes, pool.get(), stream));
  return DeviceBuffer(static_cast<std::byte*>(memory));
}

void free_on(cudaStream_t stream, DeviceBuffer& memory) {
  check(cudaFreeAsync(memory.get(), stream));
  static_cast<void>(memory.release());
}

/// Returns the host time of an allocation and its free around small operations, lane by lane.
double allocation_us(Bed& bed, const MemoryPool& pool, std::uint32_t lanes) {
  constexpr std::uint64_t bytes = 8 << 10;
  constexpr std::uint32_t rounds = 200;
  std::vector<double> times;
  for (std::uint32_t i = 0; i < rounds; ++i) {
    const std::uint32_t lane = i % lanes;
    const cudaStream_t stream = bed.all_lanes()[lane];
    DeviceBuffer memory;
    const double allocating = timed_us([&] { memory = from_pool(pool, bytes, stream); });
    for (Kind kind : all_stages) bed.enqueue(kind, lane);
    times.push_back(allocating + timed_us([&] { free_on(stream, memory); }));
    if (i % 64 == 63) bed.synchronize();
  }
  bed.synchronize();  // so that every free precedes the pool's destruction
  return median(times);
}

void measure_pools(Bed& bed, Profile& profile) {
  auto& memory = profile.memory;
  const MemoryPool keeping = pool_with(UINT64_MAX, true), strict = pool_with(UINT64_MAX, false);
  memory.one_lane_us = allocation_us(bed, pool_with(UINT64_MAX, true), 1);
  memory.shared_us = allocation_us(bed, keeping, Bed::lanes);
  memory.shared_no_opportunistic_us = allocation_us(bed, strict, Bed::lanes);
  const auto take_and_wait = [&](const MemoryPool& pool) {
    return bed.host_us(5, [&] {
      DeviceBuffer taken = from_pool(pool, Bed::lane_bytes, bed.origin());
      free_on(bed.origin(), taken);
      check(cudaStreamSynchronize(bed.origin()));
    });
  };
  take_and_wait(keeping);
  const double kept = take_and_wait(keeping), trimmed = take_and_wait(pool_with(0, true));
  // A pool that returns its memory gets it from the driver again, assumed to cost the same.
  memory.first_us = memory.trim_us = std::max(0.0, trimmed - kept) / 2;
}

void measure_handles(Profile& profile) {
  const auto keep = [&](const char* make, const char* destroy, const Pair& pair) {
    profile.calls_us[make] = pair.make;
    profile.calls_us[destroy] = pair.destroy;
  };
  keep("cudaStreamCreateWithFlags", "cudaStreamDestroy", made_and_destroyed(21, make_stream));
  keep("cudaEventCreateWithFlags", "cudaEventDestroy", made_and_destroyed(21, make_ordering_event));
  keep("cudaMemPoolCreate", "cudaMemPoolDestroy",
       made_and_destroyed(5, [] { return pool_with(0, true); }));
}

}  // namespace

void measure_memory(Bed& bed, Profile& profile) {
  bed.synchronize();
  measure_allocations(profile);
  measure_pools(bed, profile);
  measure_handles(profile);
}

}  // namespace trilane
