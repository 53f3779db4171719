// Makes the buffers of a pipeline file from those of a recorded chunk.
#pragma once

#include <vector>

#include "common/application/pipelines/making/chunked_iteration.hpp"
#include "common/application/pipelines/making/item_expression.hpp"
#include "common/model/workload/pipeline/pipeline.hpp"

namespace trilane {

struct PipelineBuffers {
  std::vector<BufferSpec> buffers;  ///< in the order of the chunk's
  ChunkNumber items;
};

/// Returns names, types and sizes of the buffers, and the items of a chunk, which determine the
/// sizes. Throws UsageError that names a call which uses a buffer with another size.
PipelineBuffers pipeline_buffers(const ChunkedIteration& chunked);

}  // namespace trilane
