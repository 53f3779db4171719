// The command line's knobs, which change a workload's shape.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "common/model/workload/workload.hpp"

namespace trilane {

/// The given knobs; sizes in bytes. Each is within its own range.
struct Knobs {
  std::optional<std::uint64_t> size, chunks, chunk_size, result_size;
  std::optional<std::uint64_t>
      stride;  ///< on the host, from the start of a chunk to the next one's
  std::optional<std::uint32_t> lanes, depth, rounds;
  std::optional<Order> order;
};

/// The maximum of each knob on its own.
inline constexpr std::uint32_t max_lanes = 1024, max_depth = 10'000, max_rounds = 1'000'000'000;
inline constexpr double max_kernel_time_us = 100e3;

/// The most chunks, whether given or computed.
inline constexpr std::uint64_t max_chunks = 1'000'000;

/// The most stages of a pass: more would take seconds of host time.
inline constexpr std::uint64_t max_operations = 10'000'000;

/// The workload with the knobs applied. The rest stays as it is, except: --size keeps the chunks'
/// size and changes their number, --chunk-size keeps their number, and a result as large as its
/// chunk stays so, and the gap between chunks stays as long. A stride as long as a chunk leaves no
/// gaps and is none. Throws UsageError if knobs contradict each other or the workload becomes too
/// large.
Workload turned(Workload workload, const Knobs& knobs);

/// The stride of a workload whose other knobs are applied: the given one, otherwise one that leaves
/// `gap` bytes between chunks; none without gaps. Throws UsageError.
std::optional<std::uint64_t> stride_of(const Workload& workload, const Knobs& knobs,
                                       std::uint64_t gap);

/// Why no knobs can give the workload, which a file holds: "has 0 lanes"; empty if they can.
std::string flaw_of(const Workload& workload);

}  // namespace trilane
