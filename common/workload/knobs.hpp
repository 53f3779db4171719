// The knobs of the command line that change a workload's shape.
#pragma once

#include <cstdint>
#include <optional>

#include "common/workload/workload.hpp"

namespace trilane {

/// What was given; sizes in bytes. Each on its own is within its limits already.
struct Knobs {
  std::optional<std::uint64_t> size, chunks, chunk_size, result_size;
  std::optional<std::uint32_t> lanes, depth, rounds;
  std::optional<Order> order;
};

/// What these knobs may be at most, each on its own.
inline constexpr std::uint32_t max_lanes = 1024, max_depth = 10'000, max_rounds = 1'000'000'000;
inline constexpr double max_kernel_time_us = 100e3;

/// More chunks than this are refused, however they come about.
inline constexpr std::uint64_t max_chunks = 1'000'000;

/// So are passes with more stages: beyond it a pass takes seconds of host time alone.
inline constexpr std::uint64_t max_operations = 10'000'000;

/// The workload with the knobs turned. What no knob names stays as it is, but: --size keeps the
/// chunks' size and changes their number, --chunk-size keeps their number, and a result that was as
/// large as its chunk stays so. Throws UsageError when the knobs contradict each other or the
/// workload that they make is too large.
Workload turned(Workload workload, const Knobs& knobs);

}  // namespace trilane
