#include <algorithm>
#include <array>

#include "common/calibrate/probes/probes.hpp"
#include "common/device/flavour.hpp"

namespace trilane {

namespace {

/// Close together where the driver's page of 2 MiB begins to matter.
constexpr std::array<std::uint64_t, 7> sizes{4 << 10, 1 << 20,  (2 << 20) - 256, 2 << 20,
                                             8 << 20, 16 << 20, 64 << 20};

struct Pair {
  double make, destroy;
};

/// Medians of the host's times to make something and to give it back.
template <typename Make, typename Destroy>
Pair made_and_destroyed(int readings, Make make, Destroy destroy) {
  std::vector<double> makes, destroys;
  for (int i = 0; i < readings; ++i) {
    const double start = now_us();
    auto thing = make();
    const double made = now_us();
    destroy(thing);
    makes.push_back(made - start);
    destroys.push_back(now_us() - made);
  }
  return {median(makes), median(destroys)};
}

void measure_allocations(Profile& profile) {
  // Another small allocation lives beside: as in a program, the driver keeps its page of memory.
  const DeviceBuffer beside = make_device_buffer(sizes.front());
  for (std::uint64_t bytes : sizes) {
    const Pair device = made_and_destroyed(
        9, [&] { return make_device_buffer(bytes); }, [](DeviceBuffer& buffer) { buffer.reset(); });
    profile.memory.malloc.push_back({bytes, device.make});
    profile.memory.free.push_back({bytes, device.destroy});
    const Pair host = made_and_destroyed(
        5, [&] { return make_pinned_buffer(bytes); }, [](PinnedBuffer& buffer) { buffer.reset(); });
    profile.memory.malloc_host.push_back({bytes, host.make});
    profile.memory.free_host.push_back({bytes, host.destroy});
  }
}

MemoryPool make_pool(std::uint64_t threshold, int opportunistic) {
  cudaMemPoolProps properties{};
  properties.allocType = cudaMemAllocationTypePinned;
  properties.location.type = cudaMemLocationTypeDevice;
  check(cudaGetDevice(&properties.location.id));
  cudaMemPool_t pool = nullptr;
  check(cudaMemPoolCreate(&pool, &properties));
  MemoryPool owner(pool);
  check(cudaMemPoolSetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &threshold));
  check(cudaMemPoolSetAttribute(pool, cudaMemPoolReuseAllowOpportunistic, &opportunistic));
  return owner;
}

/// Host time of an allocation and its free around a small operation, lane after lane.
double allocation_us(Bed& bed, const MemoryPool& pool, std::uint32_t lanes) {
  constexpr std::uint64_t bytes = 8 << 10;
  constexpr int rounds = 200;
  std::vector<double> times;
  for (int i = 0; i < rounds; ++i) {
    const std::uint32_t lane = static_cast<std::uint32_t>(i) % lanes;
    const cudaStream_t stream = bed.all_lanes()[lane];
    void* memory = nullptr;
    const double start = now_us();
    check(cudaMallocFromPoolAsync(&memory, bytes, pool.get(), stream));
    const double allocated = now_us();
    for (Kind kind : all_stages) bed.enqueue(kind, lane);
    const double issued = now_us();
    check(cudaFreeAsync(memory, stream));
    times.push_back(allocated - start + now_us() - issued);
    if (i % 64 == 63) bed.synchronize();
  }
  bed.synchronize();  // nobody's pool goes while a free is under way
  return median(times);
}

void measure_pools(Bed& bed, Profile& profile) {
  auto& memory = profile.memory;
  const MemoryPool keeping = make_pool(UINT64_MAX, 1), strict = make_pool(UINT64_MAX, 0);
  memory.one_lane_us = allocation_us(bed, make_pool(UINT64_MAX, 1), 1);
  memory.shared_us = allocation_us(bed, keeping, Bed::lanes);
  memory.shared_no_opportunistic_us = allocation_us(bed, strict, Bed::lanes);
  const auto take_and_wait = [&](const MemoryPool& pool) {
    return bed.host_us(5, [&] {
      void* taken = nullptr;
      check(cudaMallocFromPoolAsync(&taken, Bed::lane_bytes, pool.get(), bed.origin()));
      check(cudaFreeAsync(taken, bed.origin()));
      check(cudaStreamSynchronize(bed.origin()));
    });
  };
  take_and_wait(keeping);
  const double kept = take_and_wait(keeping), trimmed = take_and_wait(make_pool(0, 1));
  // A pool that gives everything back takes it from the driver again: both halves are taken alike.
  memory.first_us = memory.trim_us = std::max(0.0, trimmed - kept) / 2;
}

void measure_handles(Profile& profile) {
  const auto keep = [&](const Pair& pair, const char* make, const char* destroy) {
    profile.calls_us[make] = pair.make;
    profile.calls_us[destroy] = pair.destroy;
  };
  constexpr auto release = [](auto& handle) { handle.reset(); };
  keep(made_and_destroyed(21, make_stream, release), "cudaStreamCreateWithFlags",
       "cudaStreamDestroy");
  keep(made_and_destroyed(21, make_ordering_event, release), "cudaEventCreateWithFlags",
       "cudaEventDestroy");
  keep(made_and_destroyed(
           5, [] { return make_pool(0, 1); }, release),
       "cudaMemPoolCreate", "cudaMemPoolDestroy");
}

}  // namespace

void measure_memory(Bed& bed, Profile& profile) {
  bed.synchronize();
  measure_allocations(profile);
  measure_pools(bed, profile);
  measure_handles(profile);
}

}  // namespace trilane
