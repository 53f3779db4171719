// The order that the data of a pass needs.
#pragma once

#include <cstdint>
#include <vector>

#include "common/model/workload/workload.hpp"

namespace trilane {

/// Places of stages in a chunk.
using StagePlaces = std::vector<std::uint32_t>;

/// The stages, by their place in a chunk, on which each stage depends directly. Implied
/// dependencies are omitted.
struct StageOrder {
  /// Earlier stages of the same chunk.
  std::vector<StagePlaces> within;
  /// Stages of the preceding chunk in its lane, which used the same memory.
  std::vector<StagePlaces> across;
};

/// Returns the order of Trilane's own pipeline:
/// - a chunk's first kernel depends on its copy in and its memset,
/// - each further kernel depends on the one before, and the copy out on the last kernel,
/// - a copy in also depends on the preceding chunk's last kernel, and a memset on its copy out.
/// For a pipeline file the order follows from its declared accesses, or from its "after".
StageOrder order_of(const Workload& workload);

/// Returns the stages of a chunk, in issue order.
std::vector<Stage> kinds_of(const Workload& workload);

/// Returns for each place of a chunk whether its kernel waits by itself for the directly preceding
/// one: all of Trilane's own kernels do, and those that a pipeline file declares so. A chunk's
/// first kernel never starts early, because copies and memsets do not permit it.
std::vector<bool> early_places(const Workload& workload);

}  // namespace trilane
