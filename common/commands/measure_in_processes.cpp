#include "common/commands/measure_in_processes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstdio>

#include "common/analysis/limits/regime.hpp"
#include "common/commands/options/settings.hpp"
#include "common/console/interrupt.hpp"
#include "common/console/output_file.hpp"
#include "common/console/progress.hpp"
#include "common/processes/by_setting.hpp"
#include "common/processes/run_processes.hpp"
#include "common/report/report.hpp"
#include "common/report/report_series.hpp"
#include "common/report/report_settings.hpp"
#include "common/results/files/results_csv.hpp"
#include "common/results/files/results_io.hpp"
#include "common/text/exit_code.hpp"
#include "common/text/markdown.hpp"

namespace trilane {

namespace {

using Clock = std::chrono::steady_clock;

ExitCode gravest(std::span<const ProcessOutcome> outcomes) {
  if (interrupted()) return exit_interrupted;
  for (const ExitCode code : {exit_wrong, exit_output, exit_not_possible}) {
    if (std::ranges::find(outcomes, code, &ProcessOutcome::code) != outcomes.end()) return code;
  }
  // Any other end, by a signal say, is of a process that did not do all it was asked.
  const bool all_right = std::ranges::all_of(
      outcomes, [](const ProcessOutcome& outcome) { return outcome.code == exit_ok; });
  return all_right ? exit_ok : exit_wrong;
}

class Run {
 public:
  Run(const Options& options, const std::string& command_line)
      : options_(options),
        command_line_(command_line),
        json_("--json", options.json, options.force),
        csv_("--csv", options.csv, options.force),
        progress_(stderr, options.processes * options.settings.size()) {}

  int operator()() {
    const std::vector<ProcessOutcome> outcomes = run();
    if (outcomes.empty()) return exit_interrupted;
    show();
    write(true);
    return gravest(outcomes);
  }

 private:
  /// What ends the run early takes nothing from what was measured before.
  std::vector<ProcessOutcome> run() try {
    return run_processes(
        command_lines(options_),
        {.started = [this](std::size_t index) { start(index); },
         .waiting = [this](std::size_t) { advance(); },
         .ended = [this](std::span<const ProcessOutcome> outcomes) { keep(outcomes); }});
  } catch (const std::exception& failure) {
    if (results_.comparisons.empty()) throw;
    reservation_ =
        fmt::format("The run ended early, and these are the results of what was done before: {}",
                    failure.what());
    results_.context.notes.push_back(reservation_);
    show();
    write(false);
    write(true);
    throw;
  }

  void start(std::size_t index) {
    start_ = Clock::now();
    const std::size_t settings = options_.settings.size();
    std::string label = fmt::format("process with seed {}", options_.seed + index / settings);
    if (settings > 1) {
      label +=
          fmt::format(", {}", fmt::join(arguments_of(options_.settings[index % settings]), " "));
    }
    progress_.start(label);
  }

  /// Checks and set-up come on top; a person only wants to see that it moves on.
  void advance() {
    const double about = 1.2 * options_.seconds * static_cast<double>(options_.workloads.size());
    const std::chrono::duration<double> gone = Clock::now() - start_;
    progress_.advance(gone.count(), std::max(about, gone.count()));
  }

  /// Files are written after each process, so that nothing that was measured is lost.
  void keep(std::span<const ProcessOutcome> outcomes) {
    const ExitCode code = outcomes.back().code;
    progress_.done(code == exit_ok ? "done" : fmt::format("exit code {}", +code));
    results_ = merged_by_setting(outcomes, options_.settings.size());
    results_.context.command_line = command_line_;
    for (Comparison& comparison : results_.comparisons) {
      judge_regime(comparison);
      comparison.verdict = verdict(comparison, results_.context.simulated);
      comparison.advice = advice(comparison);
    }
    write(false);
  }

  void write(bool to_stdout) {
    if (json_.enabled() && json_.to_stdout() == to_stdout) json_.write(to_json(results_));
    if (csv_.enabled() && csv_.to_stdout() == to_stdout) csv_.write(to_csv(results_));
  }

  void show() {
    progress_.clear();
    std::string text;
    for (const Comparison& comparison : results_.comparisons) {
      text += table(comparison, results_.context.simulated) + "\n";
    }
    text += series_section(results_.comparisons, results_.context.simulated);
    text += settings_section(results_.comparisons, results_.context.simulated);
    if (!reservation_.empty()) text += paragraph(reservation_);
    if (json_.to_stdout() || csv_.to_stdout()) {
      std::fputs(text.c_str(), stderr);
    } else {
      write_stdout(text);
    }
  }

  const Options& options_;
  const std::string& command_line_;
  const InterruptGuard guard_;
  OutputFile json_, csv_;
  Progress progress_;
  Clock::time_point start_;
  Results results_;
  std::string reservation_;  // towards results of fewer processes than were asked for
};

}  // namespace

int measure_in_processes(const Options& options, const std::string& command_line) {
  return Run(options, command_line)();
}

}  // namespace trilane
