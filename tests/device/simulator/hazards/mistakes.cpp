#include "tests/device/simulator/hazards/mistakes.hpp"

#include <cstring>

#include "common/model/workload/reference.hpp"
#include "tests/device/simulator/hazards/scene.hpp"
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

}  // namespace

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

std::vector<Planted> all() {
  std::vector<Planted> all;
  for (const auto& mistakes :
       {of_lanes(), of_the_host(), of_memory(), of_graphs(), of_variants()}) {
    all.insert(all.end(), mistakes.begin(), mistakes.end());
  }
  return all;
}

}  // namespace trilane::simulator::mistakes
