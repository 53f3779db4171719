// Makes a kernel of a pipeline file from a recorded stage, and finds expressions of a chunk's items
// that have the recorded values.
#pragma once

#include "common/application/pipelines/chunks/chunks.hpp"
#include "common/model/workload/pipeline/pipeline.hpp"

namespace trilane {

/// A number of each chunk: its value in every chunk but the last, and in the last.
struct ChunkNumber {
  std::uint64_t value = 0, last = 0;
};

/// Returns the plain number if it is the same in all chunks though `items` are not; otherwise "n",
/// "n * 3", "n / 4" or "ceil(n / 256)", whichever has both values. If all chunks have one size, a
/// number that is not a multiple of the items stays plain. Absent if nothing fits.
std::optional<std::string> expression_of(ChunkNumber number, ChunkNumber items);

/// Does the same for the blocks of a grid, but prefers "ceil(n / threads)" and multiples of
/// `threads`.
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
