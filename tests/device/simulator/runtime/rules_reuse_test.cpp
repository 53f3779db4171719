#include "tests/device/simulator/runtime/pool_kit.hpp"

namespace trilane::simulator::rules {

BOOST_FIXTURE_TEST_SUITE(rules_reuse, Fresh)

namespace {

constexpr std::uint64_t size = 64 * mebibyte;

/// Returns whether an allocation of `size` in `stream` takes memory that the pool had given out
/// before.
std::string reuse(const TestPool& pool, const Stream& stream) {
  const std::uint64_t before = pool.reserved();
  pool.allocate(size, stream);
  BOOST_TEST((pool.reserved() == before || pool.reserved() == before + size));
  return pool.reserved() == before ? "reused" : "new";
}

void allocate_and_free(const TestPool& pool, const Stream& stream) {
  void* const memory = pool.allocate(size, stream);
  use('f', memory, 4, Touch::write, stream.get());
  check(cudaFreeAsync(memory, stream.get()));
}

/// Returns a device whose memory holds one allocation and no second.
trilane::simulator::Settings small_device() {
  auto settings = usual();
  settings.profile.memory_bytes = size + size / 2;
  return settings;
}

}  // namespace

// Runtime API, Stream Ordered Memory Allocator, cudaMemPoolSetAttribute: the flags are on by
// default.
BOOST_AUTO_TEST_CASE(all_reuse_is_on_by_default) {
  const MemoryPool pool = make_pool(0);
  for (const auto flag :
       {cudaMemPoolReuseFollowEventDependencies, cudaMemPoolReuseAllowOpportunistic,
        cudaMemPoolReuseAllowInternalDependencies}) {
    int value = 0;
    check(cudaMemPoolGetAttribute(pool.get(), flag, &value));
    BOOST_TEST(value == 1);
  }
}

// Programming Guide 4.3.4.4, Memory Reuse Policies: memory freed in a stream is available at once
// in that stream, whatever the flags.
TRILANE_OUTCOMES(a_stream_reuses_what_it_freed, "reused none") {
  const Stream stream = make_stream();
  const TestPool pool(false, false, false);
  allocate_and_free(pool, stream);
  const std::string whether = reuse(pool, stream);
  return whether + " " + found();
}

// Programming Guide 4.3.4.4 and 4.3.4.5, Synchronization API Actions: memory that the host's wait
// shows to be freed is available to every stream, whatever the flags.
TRILANE_OUTCOMES(every_stream_reuses_what_was_freed_before_a_wait_of_the_host, "reused none") {
  const Stream first = make_stream(), second = make_stream();
  const TestPool pool(false, false, false);
  check(pool.set(cudaMemPoolAttrReleaseThreshold, UINT64_MAX));
  allocate_and_free(pool, first);
  check(cudaStreamSynchronize(first.get()));
  const std::string whether = reuse(pool, second);
  return whether + " " + found();
}

// Programming Guide 4.3.4.4.1, cudaMemPoolReuseFollowEventDependencies: a stream that an event
// orders after the free may reuse the memory, if the flag is on.
BOOST_AUTO_TEST_CASE(a_stream_ordered_after_the_free_reuses_if_the_flag_is_on) {
  for (const bool on : {true, false}) {
    const auto body = [on] {
      const Stream first = make_stream(), second = make_stream();
      const TestPool pool(on, false, false);
      allocate_and_free(pool, first);
      order(first.get(), second.get());
      const std::string whether = reuse(pool, second);
      return whether + " " + found();
    };
    BOOST_TEST(outcomes(body) == (on ? "reused none" : "new none"));
  }
}

// The same: nothing is reused by a stream that is not ordered after the free.
TRILANE_OUTCOMES(a_stream_ordered_before_the_free_does_not_reuse, "new") {
  const Stream first = make_stream(), second = make_stream();
  const TestPool pool(true, false, false);
  order(first.get(), second.get());
  allocate_and_free(pool, first);
  return reuse(pool, second);
}

// Programming Guide 4.3.4.4.2, cudaMemPoolReuseAllowOpportunistic: without any order between the
// streams the memory is available if the device has passed the free by then, which may or may not
// happen.
BOOST_AUTO_TEST_CASE(opportunistic_reuse_depends_on_how_far_the_device_is) {
  for (const bool on : {true, false}) {
    const auto body = [on] {
      const Stream first = make_stream(), second = make_stream(), third = make_stream();
      const TestPool pool(true, on, false);
      check(pool.set(cudaMemPoolAttrReleaseThreshold, UINT64_MAX));
      allocate_and_free(pool, first);
      mark('x', third.get());
      check(cudaStreamSynchronize(third.get()));
      return reuse(pool, second);
    };
    BOOST_TEST(outcomes(body) == (on ? "new reused" : "new"));
  }
}

// The same, when it is reused: it counts as ordered, because the free has run; so the new owner's
// use is not a mistake.
TRILANE_OUTCOMES(opportunistic_reuse_is_no_hazard, "none") {
  const Stream first = make_stream(), second = make_stream(), third = make_stream();
  const TestPool pool(true, true, false);
  allocate_and_free(pool, first);
  mark('x', third.get());
  check(cudaStreamSynchronize(third.get()));
  void* const memory = pool.allocate(size, second);
  use('g', memory, 4, Touch::write, second.get());
  check(cudaFreeAsync(memory, second.get()));
  check(cudaDeviceSynchronize());
  return found();
}

// Programming Guide 4.3.4.4.3, cudaMemPoolReuseAllowInternalDependencies: when memory runs out, the
// pool makes the allocating stream wait for a free in another; without the flag the allocation
// fails.
TRILANE_OUTCOMES(a_pool_may_order_streams_when_memory_runs_out, "reused,fb,none", small_device()) {
  const Stream first = make_stream(), second = make_stream();
  const TestPool pool(false, false, true);
  allocate_and_free(pool, first);
  const std::string reused = reuse(pool, second);
  mark('b', second.get());
  check(cudaDeviceSynchronize());
  return reused + "," + trace() + "," + found();
}

TRILANE_OUTCOMES(an_allocation_fails_when_memory_runs_out_and_nothing_may_be_reused,
                 "cudaErrorMemoryAllocation", small_device()) {
  const Stream first = make_stream(), second = make_stream();
  const TestPool pool(false, false, false);
  allocate_and_free(pool, first);
  void* memory = nullptr;
  return std::string(
      cudaGetErrorName(cudaMallocFromPoolAsync(&memory, size, pool.handle(), second.get())));
}

// The same: while there is more memory, streams are not ordered.
TRILANE_OUTCOMES(a_pool_orders_no_streams_while_there_is_memory, "bf fb") {
  const Stream first = make_stream(), second = make_stream();
  const TestPool pool(false, false, true);
  allocate_and_free(pool, first);
  pool.allocate(size, second);
  mark('b', second.get());
  return trace_at_end();
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace trilane::simulator::rules
