// Writes a recorded pipeline as a pipeline file.
#pragma once

#include <string>

#include "common/application/pipelines/making/recorded_pipeline.hpp"

namespace trilane {

/// Marks a place that only the user can fill in. Readers of pipeline files refuse it.
inline constexpr char to_fill_in[] = "fill in";

/// Returns the text of the file. `source` is the file of all kernels, relative to the pipeline
/// file's folder; empty: to fill in.
std::string pipeline_text(const RecordedPipeline& recorded, const std::string& source);

}  // namespace trilane
