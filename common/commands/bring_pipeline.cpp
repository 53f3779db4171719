#include "common/base/json/document.hpp"
#include "common/commands/runs.hpp"
#include "common/commands/shown.hpp"
#include "common/device/flavour/flavour.hpp"
#include "common/explain/report/report.hpp"
#include "common/measure/gpu/runtime/device.hpp"
#include "common/measure/harness/trial.hpp"

namespace trilane {
namespace {

enum class Action { check, measure, example };

Given with_file(const Given& given) {
  given.forbid("pipeline", fmt::format("names a file, and {} another; leave one out",
                                       in_quotes(given.operands()[1])));
  return given.with("pipeline", given.operands()[1]);
}

RunOptions read_file(const Given& given) {
  RunOptions options = read_trial_run(given);
  std::erase_if(options.workloads, [](const Workload& workload) { return !workload.pipeline; });
  if (options.workloads.size() != 1) {
    throw UsageError(
        "trilane pipeline: name one pipeline file, or a kernel with --kernel FILE:NAME; trilane "
        "pipeline example prints a file to start from");
  }
  return options;
}

int check(const Given& given) {
  const RunOptions options = read_file(given);
  const InterruptGuard guard;
  Console console;
  const Workload& workload = options.workloads.front();
  start_device(options.device, options.comparison.seed);
  open_device(options.device.number);
  run_trial(workload, options.comparison.seed, options.kernel_limit_us);
  Page page = pipeline_page(workload);
  const bool simulated = profile_in_use() != nullptr;
  page.push_back(Paragraph{
      simulated ? "A simulated device does not run its kernels: it checks the order of the "
                  "accesses that the file declares, and uses the times that the file states."
                : "Its kernels load, and two runs of serial leave the same data. That shows that "
                  "they are repeatable; only a reference file can show that they are right."});
  return console.finish(shown(page, options.show));
}

int measure_kernels(const Given& given) {
  const RunOptions options = read_file(given);
  const InterruptGuard guard;
  const Workload& workload = options.workloads.front();
  if (!workload.pipeline->stated_in_file) {
    given.forbid("kernel", "has no pipeline file to write times into; use --pipeline");
  }
  start_device(options.device, options.comparison.seed);
  if (profile_in_use() != nullptr) {
    throw NotPossible(
        "trilane pipeline measure: a simulated device cannot measure kernels; run it "
        "on a GPU");
  }
  for (const char* knob : {"size", "chunks", "chunk-size"}) {
    given.forbid(knob,
                 "changes the chunks, and the times in the file would not fit them; leave it out");
  }
  open_device(options.device.number);
  run_trial(workload, options.comparison.seed, options.kernel_limit_us);
  const KernelTimes times = kernel_times(workload, options.comparison.seed);
  const std::string& path = workload.pipeline->file;
  const std::string text = with_times(content_of_input(path), times);
  OutputFile file("--pipeline", path, true);
  file.write(text);
  Page page;
  page.push_back(Paragraph{fmt::format("Wrote the time of each kernel into {}:", path)});
  std::vector<std::vector<std::string>> rows;
  const auto add_row = [&](const std::string& kernel, double us) {
    rows.push_back({kernel, fmt::format("{:.4g}", us)});
  };
  for (std::size_t i = 0; i < times.stages.size(); ++i) {
    add_row(workload.pipeline->kernels[i].name, times.stages[i]);
  }
  if (times.fused) add_row(workload.pipeline->fused->name + " (fused)", *times.fused);
  page.push_back(Table{{"kernel", ">us for a chunk"}, rows});
  Console console;
  return console.finish(shown(page, options.show));
}

int pipeline(const Given& given, const Caller&) {
  const std::vector<std::string>& words = given.operands();
  const Given all = words.size() > 1 ? with_file(given) : given;
  switch (static_cast<Action>(
      parse_choice("pipeline", words.front(), {"check", "measure", "example"}))) {
    case Action::check: return check(all);
    case Action::measure: return measure_kernels(all);
    case Action::example: break;
  }
  write_stdout(example_pipeline());
  return exit_ok;
}

}  // namespace

Command pipeline_command() {
  return {
      .name = "pipeline",
      .operands = {"check|measure|example [FILE]", 1, 2, Value::choice, "check,measure,example"},
      .summary = "check or measure a pipeline file of your own",
      .about =
          "check reads the file, compiles and loads its kernels, runs it twice one operation at a "
          "time, and prints what it understood. measure writes the time of each kernel, the fused "
          "one too, into the file, for a simulated device. example prints a file to start from.",
      .examples = {"pipeline example > blur.json", "pipeline check blur.json"},
      .groups = {{"What to check", {option::pipeline, option::kernel, option::device}},
                 {"The size of its workload",
                  {option::size, option::chunks, option::chunk_size, option::host_memory}},
                 {"How to check", {option::kernel_limit, option::seed}},
                 {"Output", {option::markdown}}},
      .run = pipeline};
}

}  // namespace trilane
