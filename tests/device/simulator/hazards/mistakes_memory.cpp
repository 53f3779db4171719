// Mistakes with memory: allocated, released, and used in between.
#include "tests/device/simulator/hazards/mistakes.hpp"
#include "tests/device/simulator/hazards/scene.hpp"
#include "tests/device/simulator/machine/pool_kit.hpp"

namespace trilane::simulator::mistakes {

namespace {

using rules::order;
using rules::TestPool;
using rules::use;

/// A scene with a pool.
struct PoolScene : Scene {
  TestPool pool;
};

void free_async(void* memory, cudaStream_t stream) { check(cudaFreeAsync(memory, stream)); }

std::string freed_before_the_last_copy(bool planted) {
  const PoolScene s;
  void* const memory = s.pool.allocate(bytes, s.first);
  s.upload(memory, s.a);
  if (planted) free_async(memory, s.a);
  s.download(memory, s.a);
  if (!planted) free_async(memory, s.a);
  return s.result();
}

std::string freed_on_another_lane(bool planted) {
  const PoolScene s;
  void* const memory = s.pool.allocate(bytes, s.first);
  s.upload(memory, s.a);
  order(s.a, s.b);
  s.download(memory, s.a);
  if (!planted) order(s.a, s.b);
  free_async(memory, s.b);
  return s.result();
}

std::string used_before_its_allocation(bool planted) {
  const PoolScene s;
  void* const memory = s.pool.allocate(bytes, s.first);
  if (!planted) order(s.a, s.b);
  s.upload(memory, s.b);
  s.download(memory, s.b);
  order(s.b, s.a);
  free_async(memory, s.a);
  return s.result();
}

std::string content_of_the_owner_before(bool planted) {
  const PoolScene s;
  void* memory = s.pool.allocate(bytes, s.first);
  s.upload(memory, s.a);
  free_async(memory, s.a);
  memory = s.pool.allocate(bytes, s.first);
  if (!planted) s.upload(memory, s.a);
  s.download(memory, s.a);
  free_async(memory, s.a);
  return s.result();
}

std::string freed_twice_to_a_pool(bool planted) {
  const PoolScene s;
  void* const memory = s.pool.allocate(bytes, s.first);
  s.upload(memory, s.a);
  s.download(memory, s.a);
  free_async(memory, s.a);
  order(s.a, s.b);
  if (planted) cudaFreeAsync(memory, s.b);  // its error goes unseen, as in the original case
  return s.result();
}

std::string freed_twice(bool planted) {
  const Scene s;
  void* const memory = make_device_buffer(bytes).release();
  check(cudaFree(memory));
  if (planted) cudaFree(memory);
  return "";
}

std::string freed_while_in_use(bool planted) {
  const Scene s;
  DeviceBuffer memory = make_device_buffer(bytes);
  s.upload(memory.get(), s.a);
  if (!planted) check(cudaStreamSynchronize(s.a));
  memory.reset();
  return "";
}

std::string host_memory_freed_while_in_use(bool planted) {
  const Scene s;
  PinnedBuffer from = make_pinned_buffer(bytes);
  check(cudaMemcpyAsync(s.memory.get(), from.get(), bytes, cudaMemcpyHostToDevice, s.a));
  if (!planted) check(cudaStreamSynchronize(s.a));
  from.reset();
  return "";
}

std::string never_written(bool planted) {
  const Scene s;
  if (!planted) s.upload(s.memory.get(), s.a);
  use('k', s.memory.get(), bytes, Touch::read, s.a);
  check(cudaDeviceSynchronize());
  return "";
}

std::string forgotten_buffer(bool planted) {
  const Scene s;
  DeviceBuffer memory = make_device_buffer(3 * bytes);
  if (planted) memory.release();
  return "";
}

std::string forgotten_event(bool planted) {
  const Scene s;
  Event event = make_ordering_event();
  if (planted) event.release();
  return "";
}

}  // namespace

std::vector<Planted> of_memory() {
  const std::string of_device = "(1024 bytes of device memory)";
  const std::string of_pool = "(1024 bytes of pool memory)";
  return {
      {"free before the last copy",
       "use after free",
       {"copy out of 1024 bytes (stream 1, operation 4) reads what free of 1024 bytes (stream 1, "
        "operation 3) has released",
        of_pool},
       freed_before_the_last_copy},
      {"free on another lane, without order",
       "free before last use",
       {"free of 1024 bytes (stream 2, operation 4) releases what copy out of 1024 bytes (stream "
        "1, operation 3) reads",
        of_pool},
       freed_on_another_lane},
      {"use before the stream-ordered allocation",
       "use before allocation",
       {"copy in of 1024 bytes (stream 2, operation 2) writes what allocation of 1024 bytes "
        "(stream 1, operation 1) allocates",
        of_pool},
       used_before_its_allocation},
      {"content expected of memory allocated again",
       "uninitialised read",
       {"copy out of 1024 bytes (stream 1, operation 5) reads what nothing has written", of_pool},
       content_of_the_owner_before},
      {"double free, to a pool",
       "double free",
       {"free of 1024 bytes (refused on stream 2, operation 5) releases what was already released "
        "by "
        "free of 1024 bytes (stream 1, operation 4)",
        of_pool},
       freed_twice_to_a_pool},
      {"double free",
       "double free",
       {"cudaFree releases what was already released by cudaFree"},
       freed_twice},
      {"device memory freed while in use",
       "free before last use",
       {"cudaFree before the host has waited for copy in of 1024 bytes (stream 1, operation 1)",
        of_device},
       freed_while_in_use},
      {"pinned memory freed while in use",
       "free before last use",
       {"cudaFreeHost before the host has waited for copy in of 1024 bytes (stream 1, operation 1)",
        "(1024 bytes of pinned memory)"},
       host_memory_freed_while_in_use},
      {"copy in left out",
       "uninitialised read",
       {"use (stream 1, operation 1) reads what nothing has written", of_device},
       never_written},
      {"buffer forgotten", "leak", {"3072 bytes of device memory"}, forgotten_buffer},
      {"event forgotten", "leak", {"event 3"}, forgotten_event},
  };
}

}  // namespace trilane::simulator::mistakes
