// The stages of a pass for all chunks at once, instead of chunk by chunk.
#pragma once

#include "common/model/workload/steps.hpp"

namespace trilane {

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

/// Runs that are issued together if copies are batched: copies in one direction, or the stages
/// between copies.
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
