// Pools and device memory: what they hold, when it is given back, and what that costs.
#include "tests/device/simulator/runtime/pool_kit.hpp"

namespace trilane::simulator::rules {

BOOST_FIXTURE_TEST_SUITE(rules_pool_memory, Fresh)

namespace {

constexpr std::uint64_t step = 32 * mebibyte;

/// A device on which only pools cost anything.
simulator::Settings costs() {
  simulator::Settings settings;
  settings.profile.memory_bytes = 1024 * mebibyte;
  auto& memory = settings.profile.memory;
  memory.one_lane_us = 2;
  memory.shared_us = 20;
  memory.shared_no_opportunistic_us = 8;
  memory.first_us = 100;
  memory.trim_us = 1000;
  return settings;
}

}  // namespace

// Programming Guide 4.3.4.3: reserved is the physical memory of a pool. It is the device's.
BOOST_AUTO_TEST_CASE(reserved_memory_is_taken_from_the_device_in_steps) {
  const std::uint64_t all = device_free();
  const Stream stream = make_stream();
  TestPool pool;
  void* const first = pool.allocate(4, stream);
  BOOST_TEST(pool.reserved() == step);
  BOOST_TEST(device_free() == all - step);
  void* const second = pool.allocate(step, stream);
  BOOST_TEST(pool.reserved() == 2 * step);
  BOOST_TEST(device_free() == all - 2 * step);
  free_async(first, stream);
  free_async(second, stream);
  pool.destroy();
  check(cudaStreamSynchronize(stream.get()));
  BOOST_TEST(device_free() == all);
}

// Runtime API, cudaMemPoolTrimTo: gives back unused memory, never allocated memory; at least the
// minimum stays reserved, and with less there is nothing to do.
BOOST_FIXTURE_TEST_CASE(trimming_keeps_the_minimum_and_what_is_allocated, OnePool) {
  check(pool.set(cudaMemPoolAttrReleaseThreshold, UINT64_MAX));
  void* const kept = pool.allocate(step, stream);
  void* const first = pool.allocate(step, stream);
  void* const second = pool.allocate(2 * step, stream);
  free_async(first, stream);
  free_async(second, stream);
  check(cudaMemPoolTrimTo(pool.handle(), 0));
  BOOST_TEST(pool.reserved() == 4 * step);  // the host has not seen the frees
  check(cudaStreamSynchronize(stream.get()));
  const auto left = [&](std::uint64_t minimum) {
    check(cudaMemPoolTrimTo(pool.handle(), minimum));
    return pool.reserved();
  };
  BOOST_TEST(left(5 * step) == 4 * step);
  BOOST_TEST(left(3 * step) == 3 * step);
  BOOST_TEST(left(step + 1) == 3 * step);
  BOOST_TEST(left(0) == step);
  free_async(kept, stream);
}

// Programming Guide 4.3.4.2: on the next call to stream, event or device synchronize. A query is
// none of these.
BOOST_FIXTURE_TEST_CASE(a_query_gives_nothing_back, OnePool) {
  free_async(pool.allocate(4, stream), stream);
  while (cudaStreamQuery(stream.get()) == cudaErrorNotReady) {
  }
  BOOST_TEST(pool.reserved() == step);
  check(cudaStreamSynchronize(stream.get()));
  BOOST_TEST(pool.reserved() == 0u);
}

// Runtime API, cudaMemPoolDestroy: returns at once; allocated memory stays until it is freed, and
// is given back then. The default pool cannot be destroyed.
BOOST_AUTO_TEST_CASE(memory_of_a_destroyed_pool_goes_back_when_it_is_freed) {
  const std::uint64_t all = device_free();
  const Stream stream = make_stream();
  TestPool pool;
  void* const memory = pool.allocate(4, stream);
  pool.destroy();
  check(cudaStreamSynchronize(stream.get()));
  BOOST_TEST(device_free() == all - step);
  BOOST_TEST(machine().leaks().back() == "4 bytes of pool 2");
  use('a', memory, 4, Touch::write, stream.get());
  free_async(memory, stream);
  BOOST_TEST(machine().leaks().back() == "stream 1");
  check(cudaStreamSynchronize(stream.get()));
  BOOST_TEST(found() == "none");
  BOOST_TEST(device_free() == all);
  BOOST_TEST(machine().pools.empty());
  cudaMemPool_t standard = nullptr;
  check(cudaDeviceGetDefaultMemPool(&standard, 0));
  BOOST_TEST(cudaMemPoolDestroy(standard) == cudaErrorInvalidValue);
}

// Memory of cudaMalloc that a stream frees is available again when the free has run.
BOOST_AUTO_TEST_CASE(memory_of_cudamalloc_goes_back_when_the_free_has_run) {
  const std::uint64_t all = device_free();
  const Stream stream = make_stream();
  free_async(make_device_buffer(1024).release(), stream);
  BOOST_TEST(device_free() == all - 1024);
  check(cudaStreamSynchronize(stream.get()));
  BOOST_TEST(device_free() == all);
}

// The cost of an allocation and its free depends on the pool's policy and on how many streams have
// used it; getting memory from the device and giving it back costs more.
BOOST_AUTO_TEST_CASE(pools_cost_the_host_what_the_profile_says) {
  for (const bool opportunistic : {true, false}) {
    start(costs());
    const Stream first = make_stream(), second = make_stream();
    const TestPool pool(true, opportunistic, true);
    const auto now = [] { return machine().timeline.now(); };
    void* memory = pool.allocate(4, first);
    BOOST_TEST(now() == 101);
    free_async(memory, first);
    BOOST_TEST(now() == 102);
    memory = pool.allocate(4, first);
    BOOST_TEST(now() == 103);
    order(first.get(), second.get());
    free_async(memory, second);
    const double half = opportunistic ? 10 : 4;
    BOOST_TEST(now() == 103 + half);
    check(cudaStreamSynchronize(second.get()));
    BOOST_TEST(now() == 1103 + half);
  }
}

// Programming Guide 4.3.4.3, Resource Usage Statistics: used memory is allocated and not freed. The
// watermarks are the maxima since they were reset, and can be set only to zero.
BOOST_FIXTURE_TEST_CASE(used_memory_and_its_watermark_follow_allocations, OnePool) {
  void* const first = pool.allocate(2 * mebibyte, stream);
  void* const second = pool.allocate(4 * mebibyte, stream);
  BOOST_TEST(pool.get(cudaMemPoolAttrUsedMemCurrent) == 6 * mebibyte);
  check(cudaFreeAsync(second, stream.get()));
  check(cudaStreamSynchronize(stream.get()));
  BOOST_TEST(pool.get(cudaMemPoolAttrUsedMemCurrent) == 2 * mebibyte);
  check(cudaFreeAsync(pool.allocate(mebibyte, stream), stream.get()));
  check(cudaStreamSynchronize(stream.get()));
  BOOST_TEST(pool.get(cudaMemPoolAttrUsedMemHigh) == 6 * mebibyte);
  BOOST_TEST(pool.set(cudaMemPoolAttrUsedMemHigh, 1) == cudaErrorInvalidValue);
  BOOST_TEST(pool.set(cudaMemPoolAttrUsedMemHigh, 0) == cudaSuccess);
  BOOST_TEST(pool.get(cudaMemPoolAttrUsedMemHigh) == 2 * mebibyte);
  check(cudaFreeAsync(first, stream.get()));
}

// Runtime API, cudaMemPoolSetAttribute, and Programming Guide 4.3.4.2, Physical Page Caching
// Behavior: memory reserved beyond the release threshold, 0 by default, goes back to the operating
// system when the host next waits for a stream, an event or the device.
BOOST_AUTO_TEST_CASE(a_wait_gives_back_what_is_over_the_release_threshold) {
  for (int wait = 0; wait < 4; ++wait) {
    for (const bool keeps : {false, true}) {
      start();
      const Stream stream = make_stream();
      const Event event = make_ordering_event();
      const TestPool pool;
      BOOST_TEST(pool.get(cudaMemPoolAttrReleaseThreshold) == 0);
      if (keeps) {
        check(pool.set(cudaMemPoolAttrReleaseThreshold, UINT64_MAX));
      }
      check(cudaFreeAsync(pool.allocate(64 * mebibyte, stream), stream.get()));
      check(cudaEventRecord(event.get(), stream.get()));
      BOOST_TEST(pool.reserved() == 64 * mebibyte);
      if (wait == 1) check(cudaStreamSynchronize(stream.get()));
      if (wait == 2) check(cudaEventSynchronize(event.get()));
      if (wait == 3) check(cudaDeviceSynchronize());
      const bool given_back = wait != 0 && !keeps;
      BOOST_TEST(pool.reserved() == (given_back ? 0 : 64 * mebibyte));
      BOOST_TEST(pool.get(cudaMemPoolAttrReservedMemHigh) == 64 * mebibyte);
    }
  }
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace trilane::simulator::rules
