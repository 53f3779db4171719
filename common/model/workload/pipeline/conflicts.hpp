// Which stages of a chunk must wait for which: those that use the same data.
#pragma once

#include <cstdint>
#include <vector>

#include "common/model/workload/pipeline/pipeline.hpp"

namespace trilane {

/// How a stage uses a buffer of its chunk on the device.
struct BufferUse {
  std::uint32_t buffer;
  bool reads, writes;
};

/// The buffers that a stage uses; a kernel may name one more than once.
std::vector<BufferUse> uses_of(const Pipeline& pipeline, const StageSpec& stage);

/// Whether one of the stages writes a buffer that the other uses.
bool conflict(const Pipeline& pipeline, const StageSpec& earlier, const StageSpec& later);

/// For each stage the earlier stages of its chunk that it waits for directly: where it states
/// `after` those, otherwise those that it conflicts with, in both cases without those that another
/// of them waits for. Ascending.
std::vector<std::vector<std::uint32_t>> needed_order(const Pipeline& pipeline);

/// For each stage all stages that end before it begins in that order, one bit each.
std::vector<std::uint64_t> stages_before(const std::vector<std::vector<std::uint32_t>>& order);

}  // namespace trilane
