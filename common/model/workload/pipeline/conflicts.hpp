// The order of a chunk's stages that use the same data.
#pragma once

#include "common/model/workload/pipeline/pipeline.hpp"

namespace trilane {

/// Returns true if a stage copies that buffer in the direction `way`.
bool is_copied(const Pipeline& pipeline, Stage way, std::uint32_t buffer);

/// A stage's use of a buffer of its chunk on the device.
struct BufferUse {
  std::uint32_t buffer;
  bool reads, writes;
};

/// Returns the buffers that a stage uses; a kernel may name one more than once.
std::vector<BufferUse> uses_of(const Pipeline& pipeline, const StageSpec& stage);

/// Returns true if one of the stages writes a buffer that the other uses.
bool conflict(const Pipeline& pipeline, const StageSpec& earlier, const StageSpec& later);

/// Returns for each stage the earlier stages of its chunk for which it waits directly: those in its
/// `after` if stated, otherwise those with which it conflicts. Omits implied ones. Ascending.
std::vector<std::vector<std::uint32_t>> needed_order(const Pipeline& pipeline);

/// Returns for each stage all stages that end before it begins in that order, one bit each.
std::vector<std::uint64_t> stages_before(const std::vector<std::vector<std::uint32_t>>& order);

}  // namespace trilane
