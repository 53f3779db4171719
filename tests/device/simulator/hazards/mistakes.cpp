#include "tests/device/simulator/hazards/mistakes.hpp"

#include "common/device/simulator/machine/machine.hpp"
#include "common/measure/gpu/runtime/gated_timer.hpp"
#include "common/model/workload/reference.hpp"
#include "tests/variants/broken.hpp"
#include "tests/variants/shapes.hpp"

namespace trilane::simulator::mistakes {

namespace {

/// Runs a pass between two neighbours on its origin: one makes its input, one takes its output. A
/// variant must be ordered after the first and before the second.
std::string between_neighbours(const VariantEntry& entry) {
  const Workload workload = shape("planted", 4 * 256, 256, 256, 2);
  const std::uint64_t size = workload.bytes;
  const PinnedBuffer in = make_pinned_buffer(size), out = make_pinned_buffer(size);
  const DeviceBuffer source = make_device_buffer(size), sink = make_device_buffer(size);
  std::vector<std::byte> expected(size), got(size);
  Reference(workload, 7).draw(in.get(), expected.data());
  check(cudaMemcpy(source.get(), in.get(), size, cudaMemcpyHostToDevice));
  std::memset(in.get(), 0, size);

  const Job job(workload, in.get(), out.get());
  const auto variant = entry.make(job);
  const Stream origin = make_stream();
  check(cudaMemcpyAsync(in.get(), source.get(), size, cudaMemcpyDeviceToHost, origin.get()));
  variant->submit(origin.get());
  check(cudaMemcpyAsync(sink.get(), out.get(), size, cudaMemcpyHostToDevice, origin.get()));
  check(cudaDeviceSynchronize());
  check(cudaMemcpy(got.data(), sink.get(), size, cudaMemcpyDeviceToHost));
  return got == expected ? "" : "wrong data";
}

std::function<std::string(bool)> variant(Mistake mistake) {
  return [mistake](bool planted) {
    return between_neighbours(broken(planted ? mistake : Mistake::none));
  };
}

/// Returns the mistakes of the host: its buffers, its waits, its functions.
std::vector<Planted> of_the_host() {
  const std::vector<std::string> copy_in_under_way{
      "copy in of 1024 bytes (stream 1, operation 1) was running", "(1024 bytes of pinned memory)"};
  return {
      {"host buffer reused while its copy is under way", "host touched", copy_in_under_way,
       in_scene([](const Scene& s, bool planted) {
         s.upload(s.memory.get(), s.a);
         if (!planted) check(cudaStreamSynchronize(s.a));
         std::memset(s.in.get(), 1, bytes);
         return s.wait();
       })},
      // Waits for all lanes except the finished one.
      {"host waited for the wrong lane", "host touched", copy_in_under_way,
       in_scene([](const Scene& s, bool planted) {
         s.upload(s.memory.get(), s.a);
         check(cudaStreamSynchronize(planted ? s.b : s.a));
         s.in.get()[bytes - 1] ^= std::byte{1};
         return s.wait();
       })},
      // The output counts as done and is prepared for the next pass.
      {"output overwritten while its copy is under way",
       "host touched",
       {"copy out of 1024 bytes (stream 1, operation 2) was running",
        "(1024 bytes of pinned memory)"},
       in_scene([](const Scene& s, bool planted) {
         s.upload(s.memory.get(), s.a);
         s.download(s.memory.get(), s.a);
         if (!planted) check(cudaStreamSynchronize(s.a));
         std::memset(s.out.get(), 1, bytes);
         return s.wait();
       })},
      {"gate that nobody opens",
       "never finishes",
       {"host function (stream 1, operation 1) has not returned after 0.005 s"},
       in_scene([](const Scene& s, bool planted) {
         Gate gate(60);
         gate.close(s.a);
         if (planted) {
           machine().settings.patience_s = 0.005;
         } else {
           gate.open();
         }
         const cudaError_t code = cudaStreamSynchronize(s.a);
         return code == cudaSuccess ? "" : cudaGetErrorName(code);
       })},
      {"host function that calls the runtime",
       "API in host function",
       {"cudaGetLastError in host function (stream 1, operation 1)"},
       in_scene([](const Scene& s, bool planted) {
         const auto asks = [](void*) { cudaGetLastError(); };
         const auto does_not = [](void*) {};
         check(cudaLaunchHostFunc(s.a, planted ? cudaHostFn_t{asks} : cudaHostFn_t{does_not},
                                  nullptr));
         return s.wait();
       })},
  };
}

/// Returns those of tests/variants/broken.hpp that concern order, and one that only the data shows.
std::vector<Planted> of_variants() {
  return {
      {"lanes not forked from the origin",
       "unordered",
       {"copy in of 1024 bytes (stream", "reads what copy out of 4096 bytes (stream",
        "(1024 bytes of pinned memory)"},
       variant(Mistake::no_fork)},
      {"lanes not joined into the origin",
       "unordered",
       {"copy in of 4096 bytes (stream", "reads what copy out of 1024 bytes (stream",
        "(1024 bytes of pinned memory)"},
       variant(Mistake::no_join)},
      {"scratch memory shared by two lanes",
       "unordered",
       {"memset of 1024 bytes (stream", "writes what transform_each (stream",
        "(1024 bytes of device memory)"},
       variant(Mistake::scratch_shared)},
      {"result copied out before the kernels",
       "uninitialised read",
       {"copy out of 1024 bytes (stream", "(1024 bytes of device memory)"},
       variant(Mistake::output_stale)},
      {"no memset before the kernels",
       "uninitialised read",
       {"transform_each (stream", "(1024 bytes of device memory)"},
       variant(Mistake::no_memset)},
      {"edge of a recorded lane moved",
       "unordered",
       {"copy out of 1024 bytes (graph", "reads what transform_each (graph",
        "(1024 bytes of device memory)"},
       [](bool planted) {
         return between_neighbours(planted ? broken(Mistake::edges_moved) : find_variant("graph"));
       }},
      {"last chunk left out", "wrong data", {}, variant(Mistake::last_chunk_skipped)},
  };
}

}  // namespace

std::vector<Planted> all() {
  std::vector<Planted> all;
  for (const auto& mistakes :
       {of_lanes(), of_the_host(), of_memory(), of_graphs(), of_variants()}) {
    all.insert(all.end(), mistakes.begin(), mistakes.end());
  }
  return all;
}

}  // namespace trilane::simulator::mistakes
