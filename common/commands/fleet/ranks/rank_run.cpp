#include "common/commands/fleet/ranks/rank_run.hpp"

#include <regex>

#include "common/base/console/interrupt.hpp"
#include "common/base/system/process.hpp"
#include "common/base/text/words.hpp"

namespace trilane {
namespace {

namespace fs = std::filesystem;
using std::chrono::steady_clock;

/// Ends a run that has not ended in time: first it may still write its results. Returns false if
/// not even a kill ends it, as when it waits in the driver.
bool end_late(Process& run) {
  for (const int signal : {SIGTERM, SIGKILL}) {
    run.send(signal);
    if (wait_until(steady_clock::now() + grace, [&] { return run.ended().has_value(); }))
      return true;
  }
  return false;
}

/// Returns the last line of a log, or nothing.
std::string last_words(const fs::path& log) {
  std::ifstream in(log);
  std::string words(std::istreambuf_iterator<char>(in), {});
  words.erase(words.find_last_not_of(" \n") + 1);
  return printable(words.substr(words.find_last_of('\n') + 1));
}

RankOutcome outcome_of(const ProcessEnd& end, bool has_results, const fs::path& log) {
  const int code = end.shell_code();
  const bool known = end.signal == 0 && (code <= exit_unexpected || code == exit_interrupted);
  if (known && has_results) return {static_cast<ExitCode>(code), ""};  // they say what is wrong
  const std::string how = end.signal != 0 ? fmt::format("was ended by signal {}", end.signal)
                                          : fmt::format("ended with exit code {}", code);
  const std::string said = end.start_error != 0 ? std::strerror(end.start_error) : last_words(log);
  return {known && code != exit_ok ? static_cast<ExitCode>(code) : exit_wrong,
          how + (said.empty() ? "" : ": " + said)};
}

ProcessStart start_of(const FleetJob& job, int rank, int device) {
  const std::string nowhere = "/dev/null";
  ProcessStart start{
      .words = {job.program},
      .program = job.program,
      .streams = {{{.path = nowhere}, {.path = nowhere}, {.path = job.file_of(rank, ".log")}}},
      .own_group = true,
      .dies_with_parent = true};
  start.words.insert(start.words.end(), job.arguments.begin(), job.arguments.end());
  start.words.push_back(fmt::format("--device={}", device));
  start.words.push_back("--json=" + job.results_of(rank));
  return start;
}

}  // namespace

std::string FleetJob::file_of(int rank, const char* kind) const {
  return folder / fmt::format("rank-{}{}", rank, kind);
}

bool is_taken(const FleetJob& job) {
  std::error_code none;
  fs::create_directories(job.folder, none);  // otherwise the run says that it cannot write there
  std::vector<fs::path> earlier;
  for (fs::directory_iterator at(job.folder, none), end; !none && at != end; at.increment(none)) {
    static const std::regex ours(R"(rank-\d+\.(json\.gz|log)|fleet\.(json\.gz|left-out\.txt))");
    if (std::regex_match(at->path().filename().string(), ours)) earlier.push_back(at->path());
  }
  if (!job.replaces()) return !earlier.empty();
  for (const fs::path& file : earlier) fs::remove(file, none);
  return false;
}

RankOutcome measure(const FleetJob& job, int rank, int device) try {
  const InterruptGuard guard;
  auto run = std::make_unique<Process>(start_of(job, rank, device));
  const auto done = [&] { return run->ended() || interrupted(); };
  const bool late = !wait_until(steady_clock::now() + job.limit, done);
  if (!run->ended() && !end_late(*run)) {
    run.release();  // whose destructor would wait forever
    return {exit_wrong, "hangs, and cannot be killed"};
  }
  const bool has_results = fs::exists(job.results_of(rank));
  RankOutcome outcome =
      late ? RankOutcome{exit_wrong, fmt::format("took longer than {} s", job.limit.count())}
           : outcome_of(*run->ended(), has_results, job.file_of(rank, ".log"));
  if (!outcome.why.empty())
    outcome.why += has_results ? "; its results so far count" : "; no results";
  return outcome;
} catch (const std::exception& error) {
  return {exit_wrong, error.what()};
}

}  // namespace trilane
