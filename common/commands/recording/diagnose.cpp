#include "common/application/diagnosis/make_diagnosis.hpp"

#include "common/application/diagnosis/diagnosis_page.hpp"
#include "common/application/pipelines/making/recorded_pipeline.hpp"
#include "common/application/prediction/simulated_prediction.hpp"
#include "common/base/console/console.hpp"
#include "common/base/text/page.hpp"
#include "common/base/text/words.hpp"
#include "common/commands/options/command_line.hpp"
#include "common/commands/options/run_options.hpp"
#include "common/commands/runs.hpp"
#include "common/commands/shown.hpp"
#include "common/device/flavour/flavour.hpp"
#include "common/explain/analysis/trace/traced_pass.hpp"
#include "common/measure/context/context.hpp"

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
  const std::vector<std::string> stages = transformed(pipeline.stages, &StageSpec::name);
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

class PipelineRequest {
 public:
  /// Throws UsageError if --kernel is not a file of kernels, or is given without --as-pipeline.
  explicit PipelineRequest(const Given& given)
      : path(given.output("as-pipeline")), source(given.text_or_refuse("kernel", "names no file")) {
    if (source.empty()) return;
    if (path.empty()) given.forbid("kernel", "belongs to a pipeline file; add --as-pipeline FILE");
    constexpr std::array<std::string_view, 4> endings{".cu", ".ptx", ".cubin", ".fatbin"};
    const bool known = std::ranges::any_of(
        endings, [&](std::string_view ending) { return source.ends_with(ending); });
    if (!known) given.forbid("kernel", "must end in .cu, .ptx, .cubin or .fatbin");
    if (!fs::is_regular_file(source)) given.forbid("kernel", "is not a file; name one that exists");
  }

  const std::string path;    ///< of the pipeline file, "-" for standard output; empty: no request
  const std::string source;  ///< the kernels' file; empty: not given

  /// Throws UsageError that names the recording and the unfit call if a file is requested.
  void read(const ApplicationRecording& recording, const std::string& recording_path) {
    has_data_ = recording.data.has_value();
    try {
      pipeline_ = recorded_pipeline(recording);
    } catch (const UsageError& error) {
      if (path.empty()) return;
      throw UsageError(fmt::format("--as-pipeline: {} is no chunked pipeline: {}",
                                   in_quotes(recording_path), error.what()));
    }
  }

  /// Returns the file's text. This and advice() are empty before read(), and without a pipeline.
  std::string text() const {
    return pipeline_ ? pipeline_text(*pipeline_, seen_from(path, source)) : "";
  }

  /// Returns true if the recording is a pipeline of several chunks.
  bool fits() const { return pipeline_ && pipeline_->pipeline.chunks > 1; }

  /// Returns what to do with the file, or that there could be one: not for a single chunk.
  Page advice() const {
    if (!pipeline_) return {};
    if (!path.empty()) return advice_on_file();
    if (!fits()) return {};
    return {Paragraph{
        fmt::format("An iteration is a chunked pipeline, {} To run it under every variant, write "
                    "it as a pipeline file with --as-pipeline FILE.",
                    shape_in_words(*pipeline_))}};
  }

 private:
  Page advice_on_file() const {
    const std::string name = path == "-" ? "" : printable(path);
    Page page{Heading{"Pipeline file", name}, Paragraph{shape_in_words(*pipeline_)}};
    if (pipeline_->pipeline.chunks == 1) {
      page.push_back(
          Bullet{"One iteration is one chunk. --chunks 8 runs eight, as if iterations were "
                 "independent."});
    }
    if (source.empty() && !pipeline_->pipeline.kernels.empty()) {
      page.push_back(Bullet{"Fill in the file of the kernels, or name it with --kernel FILE."});
    }
    if (const auto unknown = unknown_arguments(*pipeline_); !unknown.empty()) {
      page.push_back(Bullet{
          fmt::format("Fill in {}{}.", shortened(unknown),
                      has_data_ ? "" : "; trilane record --with-data records constant values")});
    }
    page.push_back(
        Bullet{"Input is random. Sizes whose dependence on n is unknown are plain numbers: check "
               "them before you use --chunk-size."});
    page.push_back(LabelledText{
        "Run it:", fmt::format("trilane run --pipeline {}{}", name.empty() ? "FILE" : name,
                               pipeline_->pageable ? " --host-memory pageable" : "")});
    return page;
  }

  std::optional<RecordedPipeline> pipeline_;
  bool has_data_ = false;
};

constexpr std::size_t name_width = 60;

std::string timeline_of(const ApplicationRecording& recording) {
  Context context = program_context();
  if (recording.simulated) context.simulated = recording.machine.gpu;
  context.gpu.push_back({"name", recording.machine.gpu});
  return chrome_trace({{.comparison = 0,
                        .workload = clipped(recording.application, name_width),
                        .variants = {trace_of(recording)}}},
                      context);
}

Page chosen_pages(const Given& given, const ApplicationRecording& recording,
                  const Diagnosis& diagnosis, const std::string& more) {
  Page page;
  if (given.has("all")) append(page, diagnosis_page(diagnosis));
  if (given.has("calls")) append(page, calls_page(recording));
  if (given.has("races")) append(page, races_page(diagnosis));
  return page.empty() ? one_screen(diagnosis, nullptr, more) : page;
}

int diagnose(const Given& given, const Caller&) {
  const std::string& path = given.operands()[0];
  const std::string json = given.output("json"), trace = given.output("trace");
  const DeviceOptions device = read_device(given);
  PipelineRequest pipeline(given);
  check_files({{"--json", json}, {"--trace", trace}, {"--as-pipeline", pipeline.path}},
              {{"diagnose", path}, {"--kernel", pipeline.source}, {"--profile", device.profile}});
  ApplicationRecording recording;
  Diagnosis diagnosis;
  Console console({{"--json", json, [&] { return to_json(diagnosis); }},
                   {"--trace", trace, [&] { return timeline_of(recording); }},
                   {"--as-pipeline", pipeline.path, [&] { return pipeline.text(); }}},
                  given.has("force"));
  recording = load_recording("diagnose", path);
  pipeline.read(recording, path);
  start_device(device, 1);
  diagnosis = diagnosis_of(recording);
  if (profile_in_use() != nullptr) {
    confirm_races(recording, diagnosis.races);
    if (!recording.calls.empty()) diagnosis.simulated_times = simulated_times(recording);
  }
  Page page = chosen_pages(given, recording, diagnosis, more_on(path, "", pipeline.fits()));
  if (given.has("all") || !pipeline.path.empty()) append(page, pipeline.advice());
  return console.finish(shown(page, read_show(given)));
}

}  // namespace

Command diagnose_command() {
  return {
      .name = "diagnose",
      .operands = {"RECORDING", 1, 1, Value::file},
      .summary = "show where a recorded application's time goes; needs no GPU",
      .about =
          "RECORDING is a file from trilane record --save. Prints a screen on one iteration: what "
          "a graph could gain, where the time goes, and what to change and where. --all adds why "
          "the GPU is idle, the critical path and what varies. trilane-sim diagnose also predicts, "
          "with a profile of any GPU, how long the "
          "iteration takes: as it is, as graphs, on one stream for each engine, and with other "
          "memory. --trace files are for Perfetto and plots/timeline.py; their lanes are the "
          "application's streams. A chunked pipeline is an iteration of equal chains of copies, "
          "memsets and kernels. --as-pipeline writes it as a pipeline file, which every variant "
          "can run.",
      .examples = {"diagnose app.json", "diagnose app.json --all --json diagnosis.json --markdown",
                   "diagnose app.json --as-pipeline pipeline.json --kernel app.cu"},
      .groups = {{"The application as a pipeline",
                  {{"as-pipeline", "FILE", "the iteration as a pipeline file; - is standard output",
                    Value::file},
                   {"kernel", "FILE",
                    "source or module with the application's kernels, for that file",
                    Value::file}}},
                 {"Output",
                  {{"all", "", "everything: idle time, critical path, findings, races, limits"},
                   {"calls", "", "a table of the iteration's calls, with places and times"},
                   {"races", "", "every race"},
                   {"json", "FILE", "the whole diagnosis; - is standard output", Value::file},
                   {"trace", "FILE", "one iteration's calls and operations, in a file for Perfetto",
                    Value::file},
                   option::markdown,
                   option::force}}},
      .predicts = true,
      .run = diagnose};
}

}  // namespace trilane
