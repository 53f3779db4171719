#include "common/commands/in_processes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>

#include "common/measure/processes/run_processes.hpp"

namespace trilane {
namespace {

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
                   .ended = [this](const std::string& text, ExitCode code) { keep(text, code); }});
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
    progress_.start(plan_.labels[index]);
  }

  /// An estimate without checks and set-up, only to show that the run makes progress.
  void advance() {
    const std::chrono::duration<double> gone = Clock::now() - start_;
    progress_.advance(gone.count(), std::max(plan_.seconds, gone.count()));
  }

  void keep(const std::string& text, ExitCode code) {
    progress_.done(code == exit_ok ? "done" : fmt::format("exit code {}", +code));
    worst_ = worse_of(worst_, code);
    files_.add(text);
    ++done_;
    if (code == exit_output) {
      console_.complain(fmt::format(
          "process {}: not all of its results could be written; make room in TMPDIR, or set it to "
          "another folder",
          done_));
    }
    console_.keep();
  }

  const ProcessPlan& plan_;
  const ProcessFiles& files_;
  const InterruptGuard guard_;
  Console& console_;
  Progress& progress_;
  Clock::time_point start_;
  std::size_t done_ = 0;
  ExitCode worst_ = exit_ok;
};

}  // namespace

ProcessPlan plan_of(const std::vector<std::string>& arguments, std::uint32_t count,
                    std::uint64_t first_seed, double seconds, std::size_t parts) {
  ProcessPlan plan{.command_lines = {},
                   .labels = {},
                   .of = count,
                   .seconds = seconds / count * static_cast<double>(parts)};
  for (std::uint64_t seed = first_seed; plan.labels.size() < count; ++seed) {
    plan.command_lines.push_back(line_of_process(arguments, seed, seconds / count));
    plan.labels.push_back(fmt::format("process with seed {}", seed));
  }
  return plan;
}

int run_in_processes(const ProcessPlan& plan, const ProcessFiles& files, Console& console) {
  return Processes(plan, files, console)();
}

}  // namespace trilane
