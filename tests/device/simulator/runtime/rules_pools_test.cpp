#include <boost/test/unit_test.hpp>
#include <limits>

#include "tests/device/simulator/machine/pool_kit.hpp"

using namespace trilane;
using namespace trilane::simulator::rules;
using trilane::simulator::Hazard;
using trilane::simulator::Touch;

BOOST_AUTO_TEST_SUITE(rules_pools)

// Programming Guide 4.3.2.1, Allocating Memory: another stream may use the memory once it is
// ordered after the allocation, and not before.
BOOST_AUTO_TEST_CASE(another_stream_must_be_ordered_after_the_allocation) {
  for (const bool ordered : {true, false}) {
    start();
    const Stream first = make_stream(), second = make_stream();
    const TestPool pool;
    void* const memory = pool.allocate(4, first);
    if (ordered) order(first.get(), second.get());
    use('a', memory, 4, Touch::write, second.get());
    BOOST_TEST(found() == (ordered ? "none" : name_of(Hazard::use_before_allocation)));
  }
}

// Programming Guide 4.3.2.2, Freeing Memory: the free comes after all uses; cudaFreeAsync in
// another stream than that of the allocation is allowed.
BOOST_AUTO_TEST_CASE(the_free_must_be_ordered_after_every_use) {
  for (const bool ordered : {true, false}) {
    start();
    const Stream first = make_stream(), second = make_stream();
    const TestPool pool;
    void* const memory = pool.allocate(4, first);
    order(first.get(), second.get());
    use('a', memory, 4, Touch::write, first.get());
    if (ordered) order(first.get(), second.get());
    check(cudaFreeAsync(memory, second.get()));
    BOOST_TEST(found() == (ordered ? "none" : name_of(Hazard::free_before_last_use)));
  }
}

BOOST_AUTO_TEST_CASE(a_use_after_the_free_is_found) {
  start();
  const Stream stream = make_stream();
  const TestPool pool;
  void* const memory = pool.allocate(4, stream);
  check(cudaFreeAsync(memory, stream.get()));
  use('a', memory, 4, Touch::write, stream.get());
  BOOST_TEST(found() == name_of(Hazard::use_after_free));
}

// Runtime API, Memory Management, cudaFree: a second free returns an error.
BOOST_AUTO_TEST_CASE(a_second_free_is_an_error_and_found) {
  start();
  const Stream stream = make_stream();
  const TestPool pool;
  void* const memory = pool.allocate(4, stream);
  check(cudaFreeAsync(memory, stream.get()));
  BOOST_TEST(cudaFreeAsync(memory, stream.get()) != cudaSuccess);
  BOOST_TEST(found() == name_of(Hazard::double_free));
}

// Programming Guide 4.3.2.1: the address is available at once, the memory when the stream reaches
// the allocation; its content is undefined.
BOOST_AUTO_TEST_CASE(reading_memory_of_a_pool_before_writing_it_is_found) {
  start();
  const Stream stream = make_stream();
  const TestPool pool;
  void* const memory = pool.allocate(4, stream);
  use('a', memory, 4, Touch::read, stream.get());
  BOOST_TEST(found() == name_of(Hazard::uninitialised_read));
}

// Runtime API, Memory Management, cudaFree: on memory of a pool it does not synchronise; the caller
// ensures that all accesses are complete.
TRILANE_OUTCOMES(cudafree_of_pool_memory_waits_for_nothing,
                 "- " + name_of(Hazard::free_before_last_use)) {
  const Stream stream = make_stream();
  const TestPool pool;
  void* const memory = pool.allocate(4, stream);
  use('a', memory, 4, Touch::write, stream.get());
  check(cudaFree(memory));
  return trace() + " " + found();
}

// The same, done correctly.
BOOST_AUTO_TEST_CASE(cudafree_of_pool_memory_after_a_wait_is_clean) {
  start();
  const Stream stream = make_stream();
  const TestPool pool;
  void* const memory = pool.allocate(4, stream);
  use('a', memory, 4, Touch::write, stream.get());
  check(cudaStreamSynchronize(stream.get()));
  check(cudaFree(memory));
  BOOST_TEST(found() == "none");
}

// Programming Guide 4.3.2.2: cudaFreeAsync may free memory of cudaMalloc.
BOOST_AUTO_TEST_CASE(cudafreeasync_frees_memory_of_cudamalloc) {
  start();
  const Stream stream = make_stream();
  DeviceBuffer memory = make_device_buffer(4);
  use('a', memory.get(), 4, Touch::write, stream.get());
  check(cudaFreeAsync(memory.release(), stream.get()));
  check(cudaStreamSynchronize(stream.get()));
  BOOST_TEST(found() == "none");
  BOOST_TEST(trace() == "a");
}

// Runtime API, Stream Ordered Memory Allocator, cudaMemPoolDestroy: returns at once, and allocated
// memory stays until it is freed.
BOOST_AUTO_TEST_CASE(memory_outlives_the_handle_of_its_pool) {
  start();
  const Stream stream = make_stream();
  TestPool pool;
  void* const memory = pool.allocate(4, stream);
  pool.destroy();
  use('a', memory, 4, Touch::write, stream.get());
  check(cudaFreeAsync(memory, stream.get()));
  check(cudaStreamSynchronize(stream.get()));
  BOOST_TEST(found() == "none");
}

// Programming Guide 4.3.4.3, Resource Usage Statistics: used memory is allocated and not freed. The
// watermarks are the maxima since they were reset, and can be set only to zero.
BOOST_AUTO_TEST_CASE(used_memory_and_its_watermark_follow_allocations) {
  start();
  const Stream stream = make_stream();
  const TestPool pool;
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
        check(pool.set(cudaMemPoolAttrReleaseThreshold, std::numeric_limits<std::uint64_t>::max()));
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

// Runtime API, cudaMemPoolTrimTo: gives back unused memory, never allocated memory, and keeps at
// least the given minimum.
BOOST_AUTO_TEST_CASE(trimming_gives_back_what_nobody_uses) {
  start();
  const Stream stream = make_stream();
  const TestPool pool;
  check(pool.set(cudaMemPoolAttrReleaseThreshold, std::numeric_limits<std::uint64_t>::max()));
  void* const kept = pool.allocate(64 * mebibyte, stream);
  void* const freed = pool.allocate(64 * mebibyte, stream);
  check(cudaFreeAsync(freed, stream.get()));
  check(cudaStreamSynchronize(stream.get()));
  check(cudaMemPoolTrimTo(pool.handle(), 128 * mebibyte));
  BOOST_TEST(pool.reserved() == 128 * mebibyte);
  check(cudaMemPoolTrimTo(pool.handle(), 100 * mebibyte));
  BOOST_TEST(pool.reserved() >= 100 * mebibyte);
  check(cudaMemPoolTrimTo(pool.handle(), 0));
  BOOST_TEST(pool.reserved() == 64 * mebibyte);
  check(cudaFreeAsync(kept, stream.get()));
}

BOOST_AUTO_TEST_SUITE_END()
