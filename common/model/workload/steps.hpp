// The steps of a pass: the stages of all chunks in issue order, with their operands, and the order
// that their data needs, also on one stream per engine.
#pragma once

#include "common/model/workload/buffer_layout.hpp"

namespace trilane {

/// A kernel of a pipeline file, ready to be launched (common/measure/gpu/stages.hpp).
class FileLaunch;

/// One stage of one chunk with its host operands. The variant owns the device operands.
struct Step {
  Stage stage;
  std::uint32_t place;  ///< of the stage in its chunk, from 0
  bool first, last;     ///< of its chunk
  bool early;           ///< a kernel that may start early, by early_places()
  std::uint32_t chunk;
  std::uint32_t lane;
  std::uint32_t kernel;  ///< 0 to depth-1 for transform, otherwise 0
  std::uint32_t buffer;  ///< that a copy moves or a memset sets
  std::uint8_t value;    ///< of a memset
  std::uint32_t rounds;
  const std::byte* host_in;  ///< source of a copy in
  std::byte* host_out;       ///< destination of a copy out
  std::uint64_t in_bytes;    ///< of a copy in
  std::uint64_t out_bytes;   ///< of a memset or copy out
  const FileLaunch* launch;  ///< of a pipeline file's kernel; otherwise null
};

/// The kernels of a pipeline file for a full and for the last chunk, by their place among kernels.
/// This is a view: common/measure/gpu/pipeline/loaded_pipeline.hpp has the owner.
struct FileKernels {
  std::vector<const FileLaunch*> full, last;
  const FileLaunch* fused_full = nullptr;
  const FileLaunch* fused_last = nullptr;
};

/// A workload and the host buffers that all its variants share. It must outlive the variants.
struct Job {
  /// The host buffers must be as large as the layout says. `kernels` are those of the workload's
  /// pipeline file; without them, steps of such a workload can only be counted.
  Job(const Workload& workload, const std::byte* host_in, std::byte* host_out,
      FileKernels kernels = {});

  Workload workload;
  Layout layout;
  const std::byte* host_in;
  std::byte* host_out;
  FileKernels kernels;
  std::vector<Step> steps;  ///< one pass, in issue order
};

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
