// The limits of a pipeline's expressions, and the place that exceeds one.
#pragma once

#include "common/model/workload/pipeline/pipeline.hpp"

namespace trilane {

/// Grid sizes that every GPU can launch, and the most shared memory of a block that any GPU is
/// likely to have; the driver refuses more than this GPU has.
inline constexpr std::uint64_t most_grid[3] = {2147483647, 65535, 65535};
inline constexpr std::uint64_t most_block[3] = {1024, 1024, 64};
inline constexpr std::uint64_t most_block_threads = 1024;
inline constexpr std::uint64_t most_shared_bytes = 256 * 1024;

/// Like extents_of(), but throws a Misfit with the place of the expression in the pipeline file:
/// ".stages[2].grid[0]", ".buffers.image.count", ".fused.shared", ".sizes.rows".
Extents placed_extents(const Pipeline& pipeline, std::uint64_t items);

}  // namespace trilane
