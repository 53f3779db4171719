// Advises what to do with the pipeline file of a recording.
#pragma once

#include <string>

#include "common/application/pipelines/making/recorded_pipeline.hpp"
#include "common/base/text/page.hpp"

namespace trilane {

/// Returns what the file says, what is to be filled in, and the command that runs it. `path` is the
/// file's, `has_source` tells whether it names the kernels' file, `has_data` whether the recording
/// has values.
Page pipeline_advice(const RecordedPipeline& recorded, const std::string& path, bool has_source,
                     bool has_data);

/// Returns a hint that the recording can be a pipeline file; empty for a single chunk.
Page pipeline_offer(const RecordedPipeline& recorded);

}  // namespace trilane
