// The order that a pass's data needs, also on one stream per engine, and runs of stages.
#pragma once

#include "common/model/workload/steps.hpp"
#include "common/model/workload/workload.hpp"

namespace trilane {

/// Places of stages in a chunk.
using StagePlaces = std::vector<std::uint32_t>;

/// The stages, by their place in a chunk, on which each stage depends directly, if not implied.
struct StageOrder {
  /// Earlier stages of the same chunk.
  std::vector<StagePlaces> within;
  /// Stages of the preceding chunk in its lane, which used the same memory.
  std::vector<StagePlaces> across{};
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

  /// Return per chunk: events recorded, waits within the chunk, and waits for the preceding one.
  std::uint64_t records() const, waits_within() const, waits_across() const;
};

/// Returns order_of() without the order that each stream implies.
EngineOrder engine_order_of(const Workload& workload);

/// Consecutive stages: one copy or memset, or all kernels up to the next of these.
struct StageRun {
  Stage stage;
  std::uint32_t first, count;  ///< places in a chunk
  std::uint32_t buffer;        ///< of a copy or memset
};
std::vector<StageRun> stage_runs(const Workload& workload);

/// Returns the number of copies or memsets that do such a run, not of kernels, for all chunks: one,
/// plus one for a last chunk of a different size if chunks have gaps.
std::uint32_t operations_together(const Workload& workload, const StageRun& run);

/// Returns the number of copies, in both directions, of a pass that copies all chunks together.
std::uint64_t copies_of_pass(const Workload& workload);

/// Returns the device memory for the buffers of all chunks, in bytes.
std::uint64_t pass_bytes(const Workload& workload);

/// Runs issued together if copies are batched: copies in one direction, or the stages between.
struct StageSection {
  bool copies;
  std::vector<StageRun> runs;
};
std::vector<StageSection> stage_sections(const Workload& workload);

/// Returns the number of batches of copies of such a pass, in both directions.
std::uint64_t batches_of_pass(const Workload& workload);

/// Returns the steps of such a run for all chunks, in issue order.
std::vector<Step> steps_of(const Job& job, const StageRun& run);

}  // namespace trilane
