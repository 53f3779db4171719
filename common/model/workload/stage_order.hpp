// The order that the data of a pass needs, also on one stream per engine.
#pragma once

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

/// The streams: copies in, the SMs (memsets and kernels), copies out.
inline constexpr std::uint32_t engine_count = 3;
std::uint32_t engine_of(Stage stage);

/// The stages on other streams for which each stage waits, by its place in its chunk.
struct EngineOrder {
  std::vector<std::vector<std::uint32_t>> within, across;  ///< as in StageOrder: waits
  std::vector<bool> recorded;                              ///< true if another stage waits for it

  /// Return the numbers per chunk: events recorded, waits within the chunk, and waits for the
  /// preceding chunk.
  std::uint64_t records() const, waits_within() const, waits_across() const;
};

/// Returns order_of() without the order that each stream implies.
EngineOrder engine_order_of(const Workload& workload);

}  // namespace trilane
