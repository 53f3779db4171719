// The stages of a pass for all chunks at once, instead of chunk by chunk.
#pragma once

#include <cstdint>
#include <vector>

#include "common/model/workload/steps/steps.hpp"

namespace trilane {

/// Stages that follow each other: one copy or memset, or all kernels up to the next of these.
struct StageRun {
  Stage stage;
  std::uint32_t first, count;  ///< places in a chunk
  std::uint32_t buffer;        ///< of a copy or memset
};
std::vector<StageRun> stage_runs(const Workload& workload);

/// Copies and memsets that do such a run, which is not of kernels, for all chunks: one, or one more
/// for a last chunk of another size where chunks are apart.
std::uint32_t operations_together(const Workload& workload, const StageRun& run);

/// Copies of a pass that copies all chunks together, both ways.
std::uint64_t copies_of_pass(const Workload& workload);

/// Device memory for the buffers of all chunks, in bytes.
std::uint64_t pass_bytes(const Workload& workload);

/// Runs that go to the device together where copies do so in batches: copies one way, or what lies
/// between copies.
struct StageSection {
  bool copies;
  std::vector<StageRun> runs;
};
std::vector<StageSection> stage_sections(const Workload& workload);

/// Batches of copies of such a pass, both ways.
std::uint64_t batches_of_pass(const Workload& workload);

/// Such a run with its steps of all chunks, in issue order.
struct StageGroup {
  Stage stage;
  std::vector<Step> steps;
};
std::vector<StageGroup> stage_groups(const Job& job);

/// stage_sections() with its steps.
struct GroupSection {
  bool copies;
  std::vector<StageGroup> groups;
};
std::vector<GroupSection> group_sections(const Job& job);

}  // namespace trilane
