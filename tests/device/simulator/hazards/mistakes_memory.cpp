// Mistakes with memory: allocated, released, and used in between.
#include "tests/device/simulator/hazards/mistakes.hpp"
#include "tests/device/simulator/runtime/pool_kit.hpp"

namespace trilane::simulator::mistakes {

using rules::order;

namespace {

/// A scene with a pool.
struct PoolScene : Scene {
  rules::TestPool pool;
};

void free_async(void* memory, cudaStream_t stream) { check(cudaFreeAsync(memory, stream)); }

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
       in_scene<PoolScene>([](const PoolScene& s, bool planted) {
         void* const memory = s.pool.allocate(bytes, s.first);
         s.upload(memory, s.a);
         if (planted) free_async(memory, s.a);
         s.download(memory, s.a);
         if (!planted) free_async(memory, s.a);
         return s.result();
       })},
      {"free on another lane, without order",
       "free before last use",
       {"free of 1024 bytes (stream 2, operation 4) releases what copy out of 1024 bytes (stream "
        "1, operation 3) reads",
        of_pool},
       in_scene<PoolScene>([](const PoolScene& s, bool planted) {
         void* const memory = s.pool.allocate(bytes, s.first);
         s.upload(memory, s.a);
         order(s.a, s.b);
         s.download(memory, s.a);
         if (!planted) order(s.a, s.b);
         free_async(memory, s.b);
         return s.result();
       })},
      {"use before the stream-ordered allocation",
       "use before allocation",
       {"copy in of 1024 bytes (stream 2, operation 2) writes what allocation of 1024 bytes "
        "(stream 1, operation 1) allocates",
        of_pool},
       in_scene<PoolScene>([](const PoolScene& s, bool planted) {
         void* const memory = s.pool.allocate(bytes, s.first);
         if (!planted) order(s.a, s.b);
         s.upload(memory, s.b);
         s.download(memory, s.b);
         order(s.b, s.a);
         free_async(memory, s.a);
         return s.result();
       })},
      {"content expected of memory allocated again",
       "uninitialised read",
       {"copy out of 1024 bytes (stream 1, operation 5) reads what nothing has written", of_pool},
       in_scene<PoolScene>([](const PoolScene& s, bool planted) {
         void* memory = s.pool.allocate(bytes, s.first);
         s.upload(memory, s.a);
         free_async(memory, s.a);
         memory = s.pool.allocate(bytes, s.first);
         if (!planted) s.upload(memory, s.a);
         s.download(memory, s.a);
         free_async(memory, s.a);
         return s.result();
       })},
      {"double free, to a pool",
       "double free",
       {"free of 1024 bytes (refused on stream 2, operation 5) releases what was already released "
        "by free of 1024 bytes (stream 1, operation 4)",
        of_pool},
       in_scene<PoolScene>([](const PoolScene& s, bool planted) {
         void* const memory = s.pool.allocate(bytes, s.first);
         s.upload(memory, s.a);
         s.download(memory, s.a);
         free_async(memory, s.a);
         order(s.a, s.b);
         if (planted) cudaFreeAsync(memory, s.b);  // its error goes unseen, as in the original case
         return s.result();
       })},
      {"double free",
       "double free",
       {"cudaFree releases what was already released by cudaFree"},
       in_scene([](const Scene&, bool planted) {
         void* const memory = make_device_buffer(bytes).release();
         check(cudaFree(memory));
         if (planted) cudaFree(memory);
         return "";
       })},
      {"device memory freed while in use",
       "free before last use",
       {"cudaFree before the host has waited for copy in of 1024 bytes (stream 1, operation 1)",
        of_device},
       in_scene([](const Scene& s, bool planted) {
         const DeviceBuffer memory = make_device_buffer(bytes);
         s.upload(memory.get(), s.a);
         if (!planted) check(cudaStreamSynchronize(s.a));
         return "";
       })},
      {"pinned memory freed while in use",
       "free before last use",
       {"cudaFreeHost before the host has waited for copy in of 1024 bytes (stream 1, operation 1)",
        "(1024 bytes of pinned memory)"},
       in_scene([](const Scene& s, bool planted) {
         const PinnedBuffer from = make_pinned_buffer(bytes);
         check(cudaMemcpyAsync(s.memory.get(), from.get(), bytes, cudaMemcpyHostToDevice, s.a));
         if (!planted) check(cudaStreamSynchronize(s.a));
         return "";
       })},
      {"copy in left out",
       "uninitialised read",
       {"use (stream 1, operation 1) reads what nothing has written", of_device},
       in_scene([](const Scene& s, bool planted) {
         if (!planted) s.upload(s.memory.get(), s.a);
         rules::use('k', s.memory.get(), bytes, Touch::read, s.a);
         return s.wait();
       })},
      {"buffer forgotten",
       "leak",
       {"3072 bytes of device memory"},
       in_scene([](const Scene&, bool planted) {
         DeviceBuffer memory = make_device_buffer(3 * bytes);
         if (planted) memory.release();
         return "";
       })},
      {"event forgotten", "leak", {"event 3"}, in_scene([](const Scene&, bool planted) {
         Event event = make_ordering_event();
         if (planted) event.release();
         return "";
       })},
  };
}

}  // namespace trilane::simulator::mistakes
