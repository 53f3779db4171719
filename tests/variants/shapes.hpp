// Workloads that are awkward in one way each.
#pragma once

#include "common/device/flavour/flavour.hpp"
#include "common/model/workload/workload.hpp"
#include "tests/framework.hpp"

namespace trilane {

inline Workload shape(std::string name, std::uint64_t words, std::uint64_t chunk_words,
                      std::uint64_t result_words, std::uint32_t lanes, std::uint32_t depth = 1,
                      Order order = Order::depth_first) {
  constexpr std::uint64_t word = 4;
  return {.name = std::move(name),
          .bytes = words * word,
          .chunk_bytes = chunk_words * word,
          .result_bytes = result_words * word,
          .lanes = lanes,
          .depth = depth,
          .rounds = 3,
          .order = order};
}

/// Returns the shape with `gap` bytes of host memory between chunks.
inline Workload apart(Workload workload, std::uint64_t gap) {
  workload.stride = workload.chunk_bytes + gap;
  return workload;
}

inline std::vector<Workload> awkward_shapes() {
  // More words than the threads of a GPU take at once. The simulated device has no such limit, and
  // its kernels run on the host.
  const std::uint64_t large = profile_in_use() == nullptr ? 1 << 21 : 1 << 15;
  return {
      shape("one element", 1, 1, 1, 1),
      shape("no multiple of a vector", 3 * 1023, 1023, 1023, 2),
      shape("no multiple of a block", 4 * 257, 257, 257, 4),
      shape("more lanes than chunks", 2 * 512, 512, 512, 5),
      shape("one lane", 6 * 1024, 1024, 1024, 1, 2),
      shape("short last chunk", 3 * 1000 + 5, 1000, 1000, 3),
      shape("last chunk of one element", 4 * 256 + 1, 256, 256, 2),
      shape("last chunk shorter than a result", 3 * 500 + 10, 500, 100, 2),
      shape("reduction to one output", 5 * 4096, 4096, 1, 2),
      shape("outputs that do not divide the inputs", 4 * 1000, 1000, 7, 3, 2),
      shape("one output fewer than inputs", 4 * 1000, 1000, 999, 2),
      shape("depth above one", 6 * 2048, 2048, 2048, 3, 5),
      shape("breadth first", 7 * 2048 + 12, 2048, 2048, 3, 2, Order::breadth_first),
      shape("breadth first, more lanes than chunks", 2 * 64, 64, 8, 8, 2, Order::breadth_first),
      shape("many small chunks", 200 * 16, 16, 16, 4),
      shape("chunks larger than the SMs", 3 * large, large, large, 2),
      shape("reduction larger than the SMs", 2 * large, large, 1000, 2),
      apart(shape("gaps of one word", 5 * 512, 512, 512, 2), 4),
      apart(shape("gaps and a short last chunk", 3 * 300 + 7, 300, 300, 2, 2), 96),
      apart(shape("gaps and small results", 4 * 400 + 9, 400, 30, 3), 4096),
  };
}

}  // namespace trilane
