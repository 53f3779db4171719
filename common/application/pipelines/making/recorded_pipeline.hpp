// Makes the pipeline file of an application whose iteration is a chunked pipeline.
#pragma once

#include "common/application/pipelines/chunks/chunks.hpp"
#include "common/model/workload/workload.hpp"

namespace trilane {

struct RecordedPipeline {
  std::string name;   ///< of the application's program
  Pipeline pipeline;  ///< complete except for what follows; kernels name no file
  /// By kernel, then by argument: the value is unknown, and the user has to fill it in.
  std::vector<std::vector<bool>> unknown;
  std::uint32_t lanes = 1;
  Order order = Order::depth_first;
  bool pageable = false;  ///< some of the copies use pageable memory
};

/// Returns the iteration as a pipeline: each chunk's copies, memsets and kernels in call order.
/// Sizes and grids follow from the chunk's items if the recording shows how. A kernel's pointers to
/// const are its inputs; others are its outputs or, if written before, both. Throws UsageError that
/// names the call that does not fit.
RecordedPipeline recorded_pipeline(const ApplicationRecording& recording);

/// Marks a place that only the user can fill in. Readers of pipeline files refuse it.
inline constexpr char to_fill_in[] = "fill in";

/// Returns the text of the pipeline file. `source` is the file of all kernels, relative to the
/// pipeline file's folder; empty: to fill in.
std::string pipeline_text(const RecordedPipeline& recorded, const std::string& source);

/// A number of each chunk: its value in every chunk but the last, and in the last.
struct ChunkNumber {
  std::uint64_t value = 0, last = 0;
};

/// Returns the plain number if it is the same in all chunks though `items` are not; otherwise "n",
/// "n * 3", "n / 4" or "ceil(n / 256)", whichever has both values. If all chunks have one size, a
/// number that is not a multiple of the items stays plain. Absent if nothing fits.
std::optional<std::string> expression_of(ChunkNumber number, ChunkNumber items);

/// Does the same for the blocks of a grid, but prefers "ceil(n / threads)".
std::optional<std::string> grid_expression_of(ChunkNumber blocks, ChunkNumber items,
                                              std::uint64_t threads);

struct PipelineKernel {
  KernelSpec kernel;          ///< without a file
  std::vector<bool> unknown;  ///< by argument: its value is unknown
};

/// Returns the stage's kernel in a pipeline of that many items a chunk. `written`: the buffers that
/// earlier stages have written. Throws UsageError that names the call if no expression of the items
/// gives its grid, or if it only reads memory that nothing has written.
PipelineKernel pipeline_kernel(const ChunkedIteration& chunked, const ChunkStage& stage,
                               ChunkNumber items, const std::set<std::uint32_t>& written);

}  // namespace trilane
