#include "common/commands/runs.hpp"

#include "common/base/console/interrupt.hpp"
#include "common/base/text/words.hpp"
#include "common/commands/shown.hpp"
#include "common/commands/worker.hpp"
#include "common/device/flavour/flavour.hpp"
#include "common/measure/harness/comparison_settings.hpp"
#include "common/measure/harness/trial.hpp"
#include "common/measure/processes/run_processes.hpp"
#include "common/model/results/results_io.hpp"

namespace trilane {
namespace {

std::vector<std::string> arguments_for(const RunOptions& options, const Workload& workload) {
  const Pipeline& pipeline = *workload.pipeline;
  std::vector<std::string> arguments{"pipeline", "check"};
  if (pipeline.stated_in_file) {
    arguments.push_back("--pipeline=" + pipeline.file);
  } else {
    arguments.push_back(
        fmt::format("--kernel={}:{}", pipeline.file, pipeline.kernels.front().name));
  }
  for (const std::string& knob : options.pipeline_knobs) arguments.push_back(knob);
  arguments.push_back(fmt::format("--device={}", options.device.number));
  if (!options.device.gpus.empty()) arguments.push_back("--gpus=" + options.device.gpus);
  arguments.push_back(fmt::format("--seed={}", options.comparison.seed));
  arguments.push_back(fmt::format("--kernel-limit={}us", options.kernel_limit_us));
  return arguments;
}

Refused tried(const RunOptions& options, const Workload& workload) {
  const InterruptGuard guard;
  const ChildEnd end = run_child(arguments_for(options, workload));
  switch (end.code) {
    case exit_ok: return {};
    case exit_usage: throw UsageError(end.message);
    case exit_no_gpu: throw NoGpu(end.message);
    case exit_not_possible: return {exit_not_possible, end.message};
    default: return {exit_wrong, end.message};
  }
}

std::vector<std::string> readers(std::vector<VariantEntry> entries,
                                 bool (*read)(const VariantEntry&)) {
  std::erase_if(entries, std::not_fn(read));
  return names_of(entries);
}

std::vector<VariantEntry> chosen(const ComparisonSettings& comparison) {
  return transformed(comparison.variants, [](const auto& name) { return find_variant(name); });
}

bool deals_to_lanes(const VariantEntry& entry) {
  Workload workload = presets().front(), other = workload;
  other.lanes = workload.lanes + 1;
  return entry.plan(workload) != entry.plan(other);
}

void ensure_pool_is_read(const ComparisonSettings& comparison, const std::string& text) {
  if (!readers(chosen(comparison), depends_on_policy).empty()) return;
  const auto able = readers(registry(), depends_on_policy);
  throw UsageError(
      "--pool {}: no chosen variant takes memory from a pool; {}leave it out", in_quotes(text),
      able.empty() ? "" : fmt::format("choose {} with --variant, or ", fmt::join(able, " or ")));
}

std::vector<std::string> unread_knobs(const Given& given, const ComparisonSettings& comparison) {
  std::vector<std::string> lines;
  if (!readers(chosen(comparison), deals_to_lanes).empty()) return lines;
  const auto add = [&](const std::string& words) {
    lines.push_back(words + " changes nothing: no chosen variant has lanes");
  };
  for (const char* knob : {"lanes", "order"}) {
    if (const auto text = given.text(knob)) add(fmt::format("--{} {}", knob, in_quotes(*text)));
  }
  for (const std::string& operand : given.operands()) {
    if (operand.starts_with("lanes=")) add(in_quotes(operand));
  }
  return lines;
}

/// Leaves out the variants that cannot be split. Throws UsageError if one of them was asked for.
void choose_for_split(const Given& given, ComparisonSettings& comparison) {
  const auto able = readers(registry(), [](const VariantEntry& entry) {
    return can_be_split(entry.plan(presets().front()).model);
  });
  std::erase_if(comparison.variants, [&](const std::string& name) {
    if (includes(able, name)) return false;
    if (!given.has("variant") && name != comparison.reference) return true;
    refuse(given.has("variant") ? "--variant" : "--reference", name,
           "cannot be split over GPUs, because its lanes have no streams and memory of "
           "their own that stay as they are; use {}",
           fmt::join(able, ", "));
  });
}

using Clock = std::chrono::steady_clock;

class Processes {
 public:
  Processes(const ProcessPlan& plan, const ProcessFiles& files, Console& console)
      : plan_(plan),
        files_(files),
        console_(console),
        progress_(console.expect(plan.command_lines.size())) {}

  int operator()() {
    run();
    if (interrupted()) worst_ = worse_of(exit_interrupted, worst_);
    return done_ == 0 ? exit_interrupted : worse_of(worst_, files_.finish());
  }

 private:
  /// If a process leaves no results, those of the earlier processes are shown and written.
  void run() try {
    run_processes(plan_.command_lines, plan_.of,
                  {.started = [this](std::size_t index) { start(index); },
                   .waiting = [this](std::size_t) { advance(); },
                   .ended = [this](std::size_t index, const std::string& text,
                                   ExitCode code) { keep(index, text, code); }});
  } catch (const std::exception& failure) {
    if (done_ == 0) throw;
    const std::string reservation =
        fmt::format("The run ended early; these are its results so far: {}", failure.what());
    files_.note(reservation);
    files_.finish();
    console_.complain(reservation);
    throw;
  }

  void start(std::size_t index) {
    start_ = Clock::now();
    started_ = index;
    progress_.start(plan_.labels[index]);
  }

  /// An estimate without checks and set-up, only to show that the run makes progress.
  void advance() {
    const std::chrono::duration<double> gone = Clock::now() - start_;
    progress_.advance(gone.count(), std::max(plan_.seconds, gone.count()));
  }

  void keep(std::size_t index, const std::string& text, ExitCode code) {
    if (index > started_) progress_.start(plan_.labels[index]);  // it ran beside another one
    progress_.done(code == exit_ok ? "done" : fmt::format("exit code {}", +code));
    worst_ = worse_of(worst_, code);
    files_.add(index, text);
    ++done_;
    if (code == exit_output) {
      console_.complain(fmt::format(
          "process {}: not all of its results could be written; make room in TMPDIR, or set it to "
          "another folder",
          index + 1));
    }
    console_.keep();
  }

  const ProcessPlan& plan_;
  const ProcessFiles& files_;
  const InterruptGuard guard_;
  Console& console_;
  Progress& progress_;
  Clock::time_point start_;
  std::size_t started_ = 0, done_ = 0;
  ExitCode worst_ = exit_ok;
};

ProcessPlan plan_of(const RunOptions& options) {
  const ProcessRequest& processes = options.processes;
  const std::vector<Setting>& settings = processes.settings;
  ProcessPlan plan{
      .command_lines = command_lines(processes, options.comparison.seed),
      .of = processes.count,
      .seconds = 1.2 * processes.seconds * static_cast<double>(options.workloads.size())};
  for (std::size_t i = 0; i < plan.command_lines.size(); ++i) {
    std::string label =
        fmt::format("process with seed {}", options.comparison.seed + i / settings.size());
    if (settings.size() > 1) {
      const Setting& setting = settings[i % settings.size()];
      label += fmt::format(", {}", fmt::join(arguments_of(setting), " "));
    }
    plan.labels.push_back(label);
  }
  return plan;
}

int measure_in_processes(const RunOptions& options, const std::string& command_line) {
  Results results;
  const auto merge = [&](const auto& of_processes, const auto& numbers) {
    return merged_by_setting(of_processes, numbers, options.processes.settings);
  };
  Console console({{"--json", options.outputs.json, [&] { return to_json(results); }},
                   {"--csv", options.outputs.csv, [&] { return to_csv(results); }}},
                  options.outputs.force);
  const auto finish = [&] {
    if (options.outputs.json.empty()) keep_last_results(results);
    return console.finish(screen_of(results, options.outputs.json, options.show));
  };
  console.warn(options.warnings);
  return run_in_processes(plan_of(options),
                          merged_into(results, from_json, merge, command_line, finish), console);
}

int run(const Given& given, const Caller& caller) {
  if (names_several_devices(given)) start_device(read_device(given, 0), 1);  // to count them
  RunOptions options = read_run(given, caller);
  check_read(given, options);
  start_device(options.device, options.comparison.seed);
  return measure_as_asked(options, caller.line);
}

}  // namespace

std::vector<Refused> tried(const RunOptions& options) {
  std::vector<Refused> all;
  for (const Workload& workload : options.workloads) {
    Refused& refused = all.emplace_back();
    if (!workload.pipeline) continue;
    if (profile_in_use() == nullptr) {
      refused = tried(options, workload);
    } else {
      run_trial(workload, options.comparison.seed, options.kernel_limit_us);
    }
  }
  return all;
}

void ensure_run(const RunOptions& options) {
  for (const Refused& refused : tried(options)) {
    if (refused.code == exit_not_possible) throw NotPossible(refused.reason);
    if (refused.code != exit_ok) throw WrongResult(refused.reason);
  }
}

int measure_as_asked(const RunOptions& options, const std::string& command_line) {
  if (const auto place = worker_place()) {
    return serve_variant(options, *place,
                         [&](std::uint32_t number) { return options.workloads.at(number); });
  }
  const std::vector<Setting>& settings = options.processes.settings;
  const std::uint32_t gpus = std::ranges::max(settings, {}, &Setting::gpus).gpus;
  if (gpus > 1) ensure_host_memory(options.workloads, gpus);
  const bool several = options.processes.count > 1 || settings.size() > 1;
  return several ? measure_in_processes(options, command_line) : measure(options, command_line);
}

ProcessPlan plan_of(const std::vector<std::string>& arguments, std::uint32_t count,
                    std::uint64_t first_seed, double seconds, std::size_t parts) {
  ProcessPlan plan{.of = count, .seconds = seconds / count * static_cast<double>(parts)};
  for (std::uint64_t seed = first_seed; plan.labels.size() < count; ++seed) {
    plan.command_lines.push_back({line_of_process(arguments, seed, seconds / count)});
    plan.labels.push_back(fmt::format("process with seed {}", seed));
  }
  return plan;
}

int run_in_processes(const ProcessPlan& plan, const ProcessFiles& files, Console& console) {
  return Processes(plan, files, console)();
}

void check_read(const Given& given, RunOptions& options) {
  if (options.comparison.gpus) choose_for_split(given, options.comparison);
  const ComparisonSettings& comparison = options.comparison;
  if (const auto pool = given.text("pool")) ensure_pool_is_read(comparison, *pool);
  if (comparison.prove_break_even && contenders(comparison).size() < 2) {
    throw UsageError(
        "--prove-break-even: the reference is the only variant, so there is nothing to prove; "
        "choose another variant, too, with --variant, or leave it out");
  }
  options.warnings = unread_knobs(given, comparison);
}

void start_device(const DeviceOptions& device, std::uint64_t seed) {
  start_simulation({device.profile, device.fault, seed, device.gpus, device.change});
}

Command run_command() {
  return {.name = "run",
          .summary = "compare all variants and say which to use; the default",
          .examples = {"run --preset launch,search", "run --chunks 64 --chunk-size 1M --depth 3",
                       "run --preset transfer --variant streams,engines --processes 5",
                       "run --pipeline blur.json", "run --kernel blur.cu:blur --chunks 64"},
          .groups = {{"What to run",
                      {option::presets, option::drawn, option::pipelines, option::kernel,
                       option::variants, option::reference, option::devices, option::together,
                       option::split}},
                     knob_group(),
                     {"The ways to run it", {option::host_memories, option::pools, option::waits}},
                     {"How to measure",
                      {option::mode, option::time, option::precision, option::processes,
                       option::prove_break_even, option::kernel_limit, option::seed}},
                     {"Output",
                      {option::json, option::name_node, option::csv, option::trace, option::quiet,
                       option::markdown, option::force}}},
          .run = run};
}

}  // namespace trilane
