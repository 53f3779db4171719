// Reads the files in which users state their pipelines.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>

#include "common/model/workload/pipeline/pipeline.hpp"
#include "common/model/workload/workload.hpp"

namespace trilane {

/// The largest pipeline file.
inline constexpr std::size_t most_pipeline_bytes = std::size_t{1} << 20;

/// What a pipeline file states.
struct PipelineFile {
  std::string name;  ///< the file's stem unless it states one
  Pipeline pipeline;
  std::optional<std::uint32_t> lanes;
  std::optional<Order> order;
};

/// Reads a pipeline file and nothing else: files that it names are neither opened nor looked for.
/// The pipeline is complete and sound: its expressions, limits, data and order are checked for both
/// numbers of items. Throws UsageError of one line: file, line, what is wrong there, and what to
/// write instead.
PipelineFile read_pipeline(const std::filesystem::path& path);

/// The same for the text of a file.
PipelineFile pipeline_in(const std::string& text, const std::filesystem::path& path);

/// The path of a file that the pipeline file names: relative to its folder, absolute ones as they
/// are.
std::filesystem::path path_beside(const Pipeline& pipeline, const std::string& file);

}  // namespace trilane
