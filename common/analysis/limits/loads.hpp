// What is busy during a pass, and for how long, by the figures of its comparison.
#pragma once

#include <string>
#include <vector>

#include "common/results/results.hpp"

namespace trilane {

struct Load {
  std::string by;  ///< as Limitation::by
  double us = 0;
  std::string figures;  ///< part of a sentence
};

/// Starting a kernel or a copy that takes less is a good part of it.
inline constexpr double short_us = 10;

/// Times that are closer than this ratio count as the same.
inline constexpr double as_good_as = 0.95;

/// Runtime calls of one submit, and nodes of the graph: 0 without one.
std::uint64_t total_calls(const Plan& plan);
std::uint64_t total_nodes(const Plan& plan);

/// Whether one stream runs the kernels of all chunks: a stream per engine, ordered chunk by chunk
/// by events.
bool one_kernel_stream(const Plan& plan, const Workload& workload);

/// Memsets and kernels of all chunks one after the other, where one stream runs them.
double kernels_in_turn_us(const Comparison& comparison);

/// Of one kernel of a chunk.
double kernel_us(const Comparison& comparison);

/// What the measurement needs of the host, the copy engines and the SMs. A figure that a measured
/// variant with the same to do beats is none, and is left out; so is what the engines' rates say of
/// bytes that go another way, where chunks are too short to show a rate and no other is known.
/// Needs a limit, and a measurement with times.
std::vector<Load> loads_of(const Comparison& comparison, const Measurement& m);

}  // namespace trilane
