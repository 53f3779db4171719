#include "common/application/pipelines/making/pipeline_advice.hpp"

#include <fmt/format.h>

#include "common/base/text/quoting.hpp"
#include "common/base/text/words.hpp"

namespace trilane {
namespace {

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

}  // namespace

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

Page pipeline_offer(const RecordedPipeline& recorded) {
  if (recorded.pipeline.chunks < 2) return {};
  return {
      Paragraph{fmt::format("An iteration is a chunked pipeline, {} Under every variant: "
                            "--as-pipeline FILE writes a pipeline file of it.",
                            shape_in_words(recorded))}};
}

}  // namespace trilane
