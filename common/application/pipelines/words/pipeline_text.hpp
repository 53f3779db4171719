// A recorded pipeline as a pipeline file.
#pragma once

#include <string>

#include "common/application/pipelines/making/recorded_pipeline.hpp"

namespace trilane {

/// What stands in the file where only the user knows what belongs there; no reader of pipeline
/// files takes it.
inline constexpr char to_fill_in[] = "fill in";

/// The text of the file. `source` is the file of all kernels, relative to the pipeline file's
/// folder; empty: to fill in.
std::string pipeline_text(const RecordedPipeline& recorded, const std::string& source);

}  // namespace trilane
