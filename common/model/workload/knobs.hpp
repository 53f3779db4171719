// The command line's knobs, which change a workload's shape, and its policies for pools.
#pragma once

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

/// Returns the workload with the knobs applied. --size keeps the chunks' size and changes their
/// number; --chunk-size keeps their number. A result as large as its chunk stays that large, and
/// the gap between chunks keeps its length. Everything else stays as it is. A stride equal to the
/// chunk size means no gaps. Throws UsageError if knobs contradict each other or ask for too much.
Workload turned(Workload workload, const Knobs& knobs);

/// Returns the part of a split pass that is that many full chunks on one GPU.
Workload on_one_gpu(Workload workload, std::uint64_t chunks);

/// Returns the stride of a workload whose other knobs are applied: the given one, otherwise one
/// that leaves `gap` bytes between chunks; absent without gaps. Throws UsageError.
std::optional<std::uint64_t> stride_of(const Workload& workload, const Knobs& knobs,
                                       std::uint64_t gap);

/// Returns why no knobs can give the workload from a file: "has 0 lanes"; empty if they can.
std::string flaw_of(const Workload& workload);

/// Applies turned() to a pipeline file's workload: --size and --chunk-size set its input, for as
/// many items as fit; results and kernels are as the file states them.
Workload turned_pipeline(const Workload& workload, const Knobs& knobs);

/// Returns why no pipeline file can state the pipeline from a results file; empty if one can.
std::string flaw_of(const Pipeline& pipeline);

/// A policy and its text on the command line, which becomes part of a variant's name.
struct NamedPolicy {
  std::string name;
  PoolPolicy policy;
};

/// Parses "threshold=0,opportunistic=on/pools=lane": policies separated by slashes, each a list of
/// settings that differ from those of PoolPolicy. "kept" has none, and "default" is cuda_default.
/// Settings: threshold: a size, or max; events, opportunistic, internal: on or off; pools: shared
/// or lane; allocations: 1 or 2. Throws UsageError that names `option`, word and remedy.
std::vector<NamedPolicy> parse_policies(const std::string& option, const std::string& text);

}  // namespace trilane
