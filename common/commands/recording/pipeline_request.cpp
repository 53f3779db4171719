#include "common/commands/recording/pipeline_request.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <string_view>

#include "common/application/pipelines/making/pipeline_text.hpp"
#include "common/base/text/quoting.hpp"
#include "common/base/text/words.hpp"

namespace trilane {
namespace {

namespace fs = std::filesystem;

/// Returns the path relative to the pipeline file's folder, as in pipeline files.
std::string seen_from(const std::string& pipeline, const std::string& source) {
  if (pipeline == "-" || source.empty()) return source;
  return fs::proximate(source, fs::absolute(pipeline).parent_path()).string();
}

std::string shape_in_words(const RecordedPipeline& recorded) {
  const Pipeline& pipeline = recorded.pipeline;
  const bool even = pipeline.last_items == pipeline.items;
  std::vector<std::string> stages;
  for (const StageSpec& stage : pipeline.stages) stages.push_back(stage.name);
  return fmt::format("{} of {}{}, {}, {}-first: {}.", counted(pipeline.chunks, "chunk"),
                     counted(pipeline.items, "item"),
                     even ? "" : fmt::format(" (the last of {})", pipeline.last_items),
                     counted(recorded.lanes, "lane"), name_of(recorded.order), listed(stages));
}

/// Returns the arguments with unknown values: "argument 3 of mix".
std::vector<std::string> unknown_arguments(const RecordedPipeline& recorded) {
  std::vector<std::string> names;
  for (std::size_t kernel = 0; kernel < recorded.unknown.size(); ++kernel) {
    for (std::size_t i = 0; i < recorded.unknown[kernel].size(); ++i) {
      if (!recorded.unknown[kernel][i]) continue;
      names.push_back(
          fmt::format("argument {} of {}", i + 1, recorded.pipeline.kernels[kernel].name));
    }
  }
  return names;
}

/// Returns what the file says, what is to be filled in, and the command that runs it. `path` is the
/// file's, `has_source` tells whether it names the kernels' file, `has_data` whether the recording
/// has values.
Page pipeline_advice(const RecordedPipeline& recorded, const std::string& path, bool has_source,
                     bool has_data) {
  Page page{Heading{"Pipeline file", path == "-" ? "" : printable(path)},
            Paragraph{shape_in_words(recorded)}};
  if (recorded.pipeline.chunks == 1) {
    page.push_back(
        Bullet{"An iteration is one chunk. --chunks 8 runs eight as if iterations were "
               "independent of each other."});
  }
  if (!has_source && !recorded.pipeline.kernels.empty()) {
    page.push_back(Bullet{"Fill in the kernels' file, or name it with --kernel FILE."});
  }
  if (const auto unknown = unknown_arguments(recorded); !unknown.empty()) {
    page.push_back(Bullet{
        fmt::format("Fill in {}{}.", shortened(unknown),
                    has_data ? "" : "; trilane record --with-data records what is constant")});
  }
  page.push_back(
      Bullet{"Input is random. Where sizes do not show how they follow from n, they are "
             "plain numbers: read them before you use --chunk-size."});
  const std::string file = path == "-" ? "FILE" : printable(path);
  page.push_back(
      LabelledText{"Run it:", fmt::format("trilane run --pipeline {}{}", file,
                                          recorded.pageable ? " --host-memory pageable" : "")});
  return page;
}

/// Returns a hint that the recording can be a pipeline file; empty for a single chunk.
Page pipeline_offer(const RecordedPipeline& recorded) {
  if (recorded.pipeline.chunks < 2) return {};
  return {
      Paragraph{fmt::format("An iteration is a chunked pipeline, {} Under every variant: "
                            "--as-pipeline FILE writes a pipeline file of it.",
                            shape_in_words(recorded))}};
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
