// The limits of what a pipeline's expressions compute, and where one exceeds them.
#pragma once

#include <cstdint>

#include "common/model/workload/pipeline/pipeline.hpp"

namespace trilane {

/// The most bytes of all buffers of a chunk, and the largest value of a named size: sums and
/// products with a number of buffers do not overflow.
inline constexpr std::uint64_t most_extent = std::uint64_t{1} << 60;

/// What every GPU can launch, and the most shared memory of a block that any GPU is likely to have;
/// the driver refuses what this one has not.
inline constexpr std::uint64_t most_grid[3] = {2147483647, 65535, 65535};
inline constexpr std::uint64_t most_block[3] = {1024, 1024, 64};
inline constexpr std::uint64_t most_block_threads = 1024;
inline constexpr std::uint64_t most_shared_bytes = 256 * 1024;

/// extents_of(), but throws a Misfit whose place is that of the expression in the pipeline file:
/// ".stages[2].grid[0]", ".buffers.image.count", ".fused.shared", ".sizes.rows".
Extents placed_extents(const Pipeline& pipeline, std::uint64_t items);

}  // namespace trilane
