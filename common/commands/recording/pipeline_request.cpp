#include "common/commands/recording/pipeline_request.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <string_view>

#include "common/application/pipelines/making/pipeline_advice.hpp"
#include "common/application/pipelines/making/pipeline_text.hpp"
#include "common/base/text/quoting.hpp"

namespace trilane {
namespace {

namespace fs = std::filesystem;

/// Returns the path relative to the pipeline file's folder, as in pipeline files.
std::string seen_from(const std::string& pipeline, const std::string& source) {
  if (pipeline == "-" || source.empty()) return source;
  return fs::proximate(source, fs::absolute(pipeline).parent_path()).string();
}

}  // namespace

OptionGroup pipeline_options() {
  return {"The application as a pipeline",
          {{"as-pipeline", "FILE", "the iteration as a pipeline file; - is standard output",
            Value::file},
           {"kernel", "FILE", "source or module with the application's kernels, for that file",
            Value::file}}};
}

PipelineRequest::PipelineRequest(const Given& given)
    : path_(given.output("as-pipeline")), source_(given.text_or_refuse("kernel", "names no file")) {
  if (source_.empty()) return;
  if (path_.empty()) given.forbid("kernel", "belongs to a pipeline file; add --as-pipeline FILE");
  constexpr std::array<std::string_view, 4> endings{".cu", ".ptx", ".cubin", ".fatbin"};
  const bool known = std::ranges::any_of(
      endings, [&](std::string_view ending) { return source_.ends_with(ending); });
  if (!known) given.forbid("kernel", "must end in .cu, .ptx, .cubin or .fatbin");
  if (!fs::is_regular_file(source_)) given.forbid("kernel", "is no file; name one that exists");
}

void PipelineRequest::read(const ApplicationRecording& recording,
                           const std::string& recording_path) {
  has_data_ = recording.data.has_value();
  try {
    pipeline_ = recorded_pipeline(recording);
  } catch (const UsageError& error) {
    if (path_.empty()) return;
    throw UsageError(fmt::format("--as-pipeline: {} is no chunked pipeline: {}",
                                 in_quotes(recording_path), error.what()));
  }
}

std::string PipelineRequest::text() const {
  return pipeline_ ? pipeline_text(*pipeline_, seen_from(path_, source_)) : "";
}

Page PipelineRequest::advice() const {
  if (!pipeline_) return {};
  if (path_.empty()) return pipeline_offer(*pipeline_);
  return pipeline_advice(*pipeline_, path_, !source_.empty(), has_data_);
}

}  // namespace trilane
