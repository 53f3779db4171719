#include <fmt/format.h>

#include <algorithm>
#include <chrono>

#include "common/commands/runs/runs.hpp"
#include "common/commands/runs/shown.hpp"
#include "common/console/console.hpp"
#include "common/console/interrupt.hpp"
#include "common/processes/by_setting.hpp"
#include "common/processes/run_processes.hpp"
#include "common/results/files/results_io.hpp"
#include "common/text/exit_code.hpp"

namespace trilane {

namespace {

using Clock = std::chrono::steady_clock;

ExitCode most_severe(std::span<const ProcessOutcome> outcomes) {
  ExitCode worst = interrupted() ? exit_interrupted : exit_ok;
  for (const ProcessOutcome& outcome : outcomes) worst = worse_of(worst, outcome.code);
  return worst;
}

class Run {
 public:
  Run(const RunOptions& options, const std::string& command_line)
      : options_(options),
        command_line_(command_line),
        console_({{"--json", options.outputs.json, [this] { return to_json(results_); }},
                  {"--csv", options.outputs.csv, [this] { return to_csv(results_); }}},
                 options.outputs.force) {}

  int operator()() {
    console_.warn(options_.warnings);
    const std::vector<ProcessOutcome> outcomes = run();
    if (outcomes.empty()) return exit_interrupted;
    return worse_of(most_severe(outcomes), finish());
  }

 private:
  /// If a process leaves no results, those of the earlier processes are shown and written.
  std::vector<ProcessOutcome> run() try {
    return run_processes(
        command_lines(options_.processes, options_.comparison.seed), options_.processes.count,
        {.started = [this](std::size_t index) { start(index); },
         .waiting = [this](std::size_t) { advance(); },
         .ended = [this](std::span<const ProcessOutcome> outcomes) { keep(outcomes); }});
  } catch (const std::exception& failure) {
    if (results_.comparisons.empty()) throw;
    reservation_ =
        fmt::format("The run ended early; these are the results until then: {}", failure.what());
    results_.context.notes.push_back(reservation_);
    finish();
    throw;
  }

  void start(std::size_t index) {
    start_ = Clock::now();
    const std::size_t settings = options_.processes.settings.size();
    std::string label =
        fmt::format("process with seed {}", options_.comparison.seed + index / settings);
    if (settings > 1) {
      label += fmt::format(
          ", {}", fmt::join(arguments_of(options_.processes.settings[index % settings]), " "));
    }
    progress_.start(label);
  }

  /// An estimate without checks and set-up; it only has to show that the run makes progress.
  void advance() {
    const double about =
        1.2 * options_.processes.seconds * static_cast<double>(options_.workloads.size());
    const std::chrono::duration<double> gone = Clock::now() - start_;
    progress_.advance(gone.count(), std::max(about, gone.count()));
  }

  /// Writes files after each process, so that an interrupt loses nothing that was measured.
  void keep(std::span<const ProcessOutcome> outcomes) {
    const ExitCode code = outcomes.back().code;
    progress_.done(code == exit_ok ? "done" : fmt::format("exit code {}", +code));
    results_ = merged_by_setting(outcomes, options_.processes.settings.size());
    results_.context.command_line = command_line_;
    if (code == exit_output) {
      console_.complain(fmt::format(
          "process {}: not all of its results could be written; make room in TMPDIR, or set it to "
          "another folder",
          outcomes.size()));
    }
    console_.keep();
  }

  ExitCode finish() {
    if (options_.outputs.json.empty()) keep_last_results(results_);
    const ExitCode written =
        console_.finish(screen_of(results_, options_.outputs.json, options_.show));
    if (!reservation_.empty()) console_.complain(reservation_);
    return written;
  }

  const RunOptions& options_;
  const std::string& command_line_;
  const InterruptGuard guard_;
  Console console_;
  Progress& progress_ =
      console_.expect(options_.processes.count * options_.processes.settings.size());
  Clock::time_point start_;
  Results results_;
  std::string reservation_;  // why some processes are missing; empty if none are
};

}  // namespace

int measure_in_processes(const RunOptions& options, const std::string& command_line) {
  return Run(options, command_line)();
}

}  // namespace trilane
