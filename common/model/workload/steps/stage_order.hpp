// The order that the data of a pass needs.
#pragma once

#include <cstdint>
#include <vector>

#include "common/model/workload/workload.hpp"

namespace trilane {

/// Places of stages in a chunk.
using StagePlaces = std::vector<std::uint32_t>;

/// The stages, by their place in a chunk, on which each stage depends directly. What follows from
/// other dependencies is left out.
struct StageOrder {
  /// Earlier stages of the same chunk.
  std::vector<StagePlaces> within;
  /// Stages of the chunk before it in its lane, which used the same memory.
  std::vector<StagePlaces> across;
};

/// A chunk's first kernel depends on its copy in and its memset, each further kernel on the one
/// before, and the copy out on the last kernel; a copy in also on the last kernel of the chunk
/// before, and a memset on its copy out. For a pipeline file this follows from the accesses that
/// it declares, or from its "after".
StageOrder order_of(const Workload& workload);

/// The stages of a chunk, in issue order.
std::vector<Stage> kinds_of(const Workload& workload);

}  // namespace trilane
