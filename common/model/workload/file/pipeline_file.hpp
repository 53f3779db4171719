// Reads and checks users' pipeline files, and has one to start from.
#pragma once

#include "common/model/workload/pipeline/pipeline.hpp"
#include "common/model/workload/workload.hpp"

namespace trilane {

/// The largest pipeline file.
inline constexpr std::size_t most_pipeline_bytes = std::size_t{1} << 20;

/// The content of a pipeline file.
struct PipelineFile {
  std::string name;  ///< the file's stem unless it states one
  Pipeline pipeline;
  std::optional<std::uint32_t> lanes;
  std::optional<Order> order;
};

/// Reads only the pipeline file: it does not open or look for the files that it names. The pipeline
/// is complete and sound: its expressions, limits, data and order are checked for both numbers of
/// items. Throws UsageError of one line: file, line, what is wrong there, and the remedy.
PipelineFile read_pipeline(const std::filesystem::path& path);

/// Reads the text of such a file.
PipelineFile pipeline_in(const std::string& text, const std::filesystem::path& path);

/// Returns the path of a file that the pipeline file names, perhaps relative to its folder.
std::filesystem::path path_beside(const Pipeline& pipeline, const std::string& file);

/// Returns the text of a pipeline file that shows most of the format. Its kernels do not exist.
std::string example_pipeline();

/// Throws a Misfit with its place in the file if a buffer is unused or read before it is written,
/// or nothing is output; if `after` omits a stage that the data needs, a fused kernel does not do
/// what the stages do, an expression exceeds its limits, or a pass is too large.
void require_sound(const Pipeline& pipeline);

}  // namespace trilane
