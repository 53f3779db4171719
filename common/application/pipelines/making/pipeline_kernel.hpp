// Makes a kernel of a pipeline file from a recorded stage.
#pragma once

#include <cstdint>
#include <set>
#include <vector>

#include "common/application/pipelines/making/chunked_iteration.hpp"
#include "common/application/pipelines/making/item_expression.hpp"
#include "common/model/workload/pipeline/pipeline.hpp"

namespace trilane {

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
