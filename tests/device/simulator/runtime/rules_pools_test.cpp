// Memory of pools: its uses, which block is reused, and what can be freed.
#include "tests/device/simulator/runtime/pool_kit.hpp"

namespace trilane::simulator::rules {

BOOST_FIXTURE_TEST_SUITE(rules_pools, Fresh)

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
    free_async(memory, second);
    BOOST_TEST(found() == (ordered ? "none" : name_of(Hazard::free_before_last_use)));
  }
}

BOOST_FIXTURE_TEST_CASE(a_use_after_the_free_is_found, OnePool) {
  void* const memory = pool.allocate(4, stream);
  free_async(memory, stream);
  use('a', memory, 4, Touch::write, stream.get());
  BOOST_TEST(found() == name_of(Hazard::use_after_free));
}

// Runtime API, Memory Management, cudaFree: a second free returns an error.
BOOST_FIXTURE_TEST_CASE(a_second_free_is_an_error_and_found, OnePool) {
  void* const memory = pool.allocate(4, stream);
  free_async(memory, stream);
  BOOST_TEST(cudaFreeAsync(memory, stream.get()) != cudaSuccess);
  BOOST_TEST(found() == name_of(Hazard::double_free));
}

// Programming Guide 4.3.2.1: the address is available at once, the memory when the stream reaches
// the allocation; its content is undefined.
BOOST_FIXTURE_TEST_CASE(reading_memory_of_a_pool_before_writing_it_is_found, OnePool) {
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
BOOST_FIXTURE_TEST_CASE(cudafree_of_pool_memory_after_a_wait_is_clean, OnePool) {
  void* const memory = pool.allocate(4, stream);
  use('a', memory, 4, Touch::write, stream.get());
  check(cudaStreamSynchronize(stream.get()));
  check(cudaFree(memory));
  BOOST_TEST(found() == "none");
}

// Programming Guide 4.3.2.2: cudaFreeAsync may free memory of cudaMalloc.
BOOST_FIXTURE_TEST_CASE(cudafreeasync_frees_memory_of_cudamalloc, OneStream) {
  DeviceBuffer memory = make_device_buffer(4);
  use('a', memory.get(), 4, Touch::write, stream.get());
  check(cudaFreeAsync(memory.release(), stream.get()));
  check(cudaStreamSynchronize(stream.get()));
  BOOST_TEST(found() == "none");
  BOOST_TEST(trace() == "a");
}

// Programming Guide 4.3.4.4, Memory Reuse Policies: freed memory is reused before new memory is
// taken. Which of several blocks is not stated: here the last.
BOOST_FIXTURE_TEST_CASE(what_was_freed_last_is_used_first, OnePool) {
  void* const small = pool.allocate(512, stream);
  void* const first = pool.allocate(1024, stream);
  void* const last = pool.allocate(1024, stream);
  free_async(first, stream);
  free_async(last, stream);
  free_async(small, stream);
  BOOST_TEST(pool.allocate(1024, stream) == last);
  BOOST_TEST(pool.allocate(1024, stream) == first);
  BOOST_TEST(pool.allocate(512, stream) == small);
}

// Runtime API, Stream Ordered Memory Allocator, overview: an access outside of the allocated bytes
// is a mistake even if the block is larger.
BOOST_FIXTURE_TEST_CASE(the_rest_of_a_larger_block_belongs_to_nobody, OnePool) {
  void* const large = pool.allocate(1024, stream);
  free_async(large, stream);
  void* const small = pool.allocate(512, stream);
  BOOST_TEST(small == large);
  BOOST_TEST(pool.get(cudaMemPoolAttrUsedMemCurrent) == 512u);
  use('a', small, 512, Touch::write, stream.get());
  BOOST_TEST(found() == "none");
  use('b', small, 513, Touch::write, stream.get());
  BOOST_TEST(found() == name_of(Hazard::use_after_free));
  forget();
  free_async(small, stream);
  use('c', pool.allocate(1024, stream), 1024, Touch::write, stream.get());
  BOOST_TEST(found() == "none");
}

// Runtime API, Memory Management, cudaFree and cudaFreeAsync: their argument must have been
// returned by an allocation. Otherwise nothing changes.
BOOST_FIXTURE_TEST_CASE(only_what_an_allocation_returned_can_be_freed, OnePool) {
  const DeviceBuffer device = make_device_buffer(8);
  const PinnedBuffer pinned = make_pinned_buffer(8);
  auto* const memory = static_cast<std::byte*>(pool.allocate(8, stream));
  BOOST_TEST(cudaFree(memory + 4) == cudaErrorInvalidValue);
  for (void* const wrong : {memory + 4, device.get() + 4, pinned.get(), pinned.get() + 4}) {
    BOOST_TEST(cudaFreeAsync(wrong, stream.get()) == cudaErrorInvalidValue);
  }
  BOOST_TEST(cudaFreeAsync(nullptr, stream.get()) == cudaErrorInvalidValue);
  for (void* const right : {memory, device.get(), pinned.get()}) {
    use('a', right, 8, Touch::write, stream.get());
  }
  BOOST_TEST(found() == "none");
  int mine = 0;
  BOOST_TEST(cudaFreeAsync(&mine, stream.get()) == cudaErrorInvalidValue);
  BOOST_TEST(found() == name_of(Hazard::double_free));
}

// Programming Guide 4.3.2.2, Freeing Memory: the driver takes memory freed by cudaFree to be
// unused: any stream may get it.
BOOST_AUTO_TEST_CASE(what_the_host_freed_at_once_can_be_had_by_every_stream) {
  const Stream first = make_stream(), second = make_stream();
  const TestPool pool(false, false, false);
  void* const memory = pool.allocate(4, first);
  use('a', memory, 4, Touch::write, first.get());
  check(cudaStreamSynchronize(first.get()));
  check(cudaFree(memory));
  BOOST_TEST(pool.allocate(4, second) == memory);
  use('b', memory, 4, Touch::write, second.get());
  BOOST_TEST(found() == "none");
}

// Runtime API, cudaMemPoolCreate and cudaMemPoolSetAttribute.
BOOST_AUTO_TEST_CASE(other_pools_and_attributes_are_refused) {
  cudaMemPoolProps properties{};
  properties.allocType = cudaMemAllocationTypePinned;
  properties.location = {.type = cudaMemLocationTypeHost, .id = 0};
  cudaMemPool_t made = nullptr;
  BOOST_TEST(cudaMemPoolCreate(&made, &properties) != cudaSuccess);
  properties.location = {.type = cudaMemLocationTypeDevice, .id = 1};
  BOOST_TEST(cudaMemPoolCreate(&made, &properties) == cudaErrorInvalidValue);
  properties.location.id = 0;
  properties.maxSize = 32 * mebibyte;
  BOOST_TEST(cudaMemPoolCreate(&made, &properties) == cudaErrorNotSupported);
  TestPool pool;
  BOOST_TEST(pool.set(cudaMemPoolAttrUsedMemCurrent, 0) == cudaErrorInvalidValue);
  cudaMemPool_t const gone = pool.handle();
  pool.destroy();
  BOOST_TEST(cudaMemPoolTrimTo(gone, 0) == cudaErrorInvalidValue);
  BOOST_TEST(cudaMemPoolDestroy(gone) == cudaErrorInvalidValue);
}

// Runtime API, cudaMallocAsync: takes from the device's pool.
BOOST_FIXTURE_TEST_CASE(the_default_pool_is_that_of_the_device, OneStream) {
  cudaMemPool_t pool = nullptr;
  check(cudaDeviceGetDefaultMemPool(&pool, 0));
  void* memory = nullptr;
  check(cudaMallocAsync(&memory, 4, stream.get()));
  std::uint64_t used = 0;
  check(cudaMemPoolGetAttribute(pool, cudaMemPoolAttrUsedMemCurrent, &used));
  BOOST_TEST(used == 4u);
  BOOST_TEST(machine().leaks().back() == "4 bytes of pool 2");
  free_async(memory, stream);
  BOOST_TEST(machine().leaks().back() == "stream 1");
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace trilane::simulator::rules
