// Workloads drawn by a seed, to try predictions and advice on shapes that nobody chose.
#pragma once

#include "common/model/workload/workload.hpp"

namespace trilane {

/// The beginning of their names.
inline constexpr const char* drawn_name = "drawn-";

/// Returns `count` workloads, "drawn-1" and so on; the same seed gives the same ones,
/// and a longer list begins with a shorter one's. Uniform in the logarithm: 1 to 200 chunks of 1
/// KiB to 12 MiB, depth 1 to 10, 1 to 2,000 rounds. Uniform: 1 to 8 lanes. Half are breadth first.
/// A quarter have results of 4 bytes to a quarter of the chunk, in the logarithm. A pass has at
/// most 192 MiB of input, and kernels of at most 2^36 words and rounds, some 10 ms of an H200: what
/// is larger is drawn again.
std::vector<Workload> drawn_workloads(std::size_t count, std::uint64_t seed);

}  // namespace trilane
