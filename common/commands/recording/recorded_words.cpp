#include "common/commands/recording/recorded_words.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "common/base/text/quoting.hpp"
#include "common/base/text/size.hpp"
#include "common/base/text/words.hpp"
#include "common/explain/statistics/statistics.hpp"

namespace trilane {
namespace {

std::string signal_name(int signal) {
  const char* const name = sigabbrev_np(signal);
  return name == nullptr ? fmt::format("signal {}", signal) : fmt::format("SIG{}", name);
}

/// Returns, for example, "137 calls an iteration, 412 iterations seen, one every 1.21 ms".
std::string iteration_words(const ApplicationRecording& recording, const RecorderStatus& status) {
  // The recording was written before a crash, the page up to it.
  const std::uint64_t iterations = std::max<std::uint64_t>(recording.iterations, status.watched);
  const auto& times = recording.watched_us.empty() ? recording.iteration_us : recording.watched_us;
  const double us = times.empty() ? 0 : median(times);
  return fmt::format("{} an iteration, {} seen{}", counted(recording.calls.size(), "call"),
                     counted(iterations, "iteration"),
                     us > 0 ? ", one every " + time_in_words(us) : "");
}

std::string problem_words(RecorderProblem problem, const std::string& words) {
  switch (problem) {
    case RecorderProblem::none: return {};
    case RecorderProblem::no_cupti: return fmt::format("nothing was recorded: {}", words);
    case RecorderProblem::other_subscriber:
      return "nothing was recorded: another tool listens to the application's calls (a profiler, a "
             "debugger or a sanitizer), and CUPTI serves only one; run it without that";
    case RecorderProblem::cupti_failed:
      return fmt::format("nothing was recorded: CUPTI failed ({})", words);
    case RecorderProblem::failed: return fmt::format("recording stopped after an error: {}", words);
    case RecorderProblem::not_written:
      return fmt::format("what was found could not be written: {}", words);
  }
  return fmt::format("nothing was recorded: {}", words);
}

/// Returns how the application ended, as the first half of a sentence.
std::string end_words(const ApplicationEnd& end, const RecorderStatus& status) {
  const std::string after = fmt::format("after {}", counted(status.calls.load(), "call"));
  if (end.signal != 0)
    return fmt::format("the application was ended by {} {}", signal_name(end.signal), after);
  if (status.finished == 0) return fmt::format("the application ended without exit() {}", after);
  return fmt::format("the application ended {}", after);
}

std::vector<std::string> none_words(const Recorded& recorded) {
  std::vector<std::string> lines{
      fmt::format("no iteration was found; {}", end_words(recorded.end, recorded.status))};
  if (!recorded.unreadable.empty())
    lines.push_back("what was recorded is lost: " + recorded.unreadable);
  if (!recorded.recording) return lines;
  if (!recorded.recording->why_none.empty()) lines.push_back(recorded.recording->why_none);
  return lines;
}

}  // namespace

std::vector<std::string> recorded_words(const Recorded& recorded) {
  const RecorderStatus& status = recorded.status;
  const auto problem = static_cast<RecorderProblem>(status.problem.load());
  std::vector<std::string> lines;
  if (status.loaded == 0) {
    lines.push_back(
        "the application did not use CUDA: the driver never loaded the recorder's library");
    if (recorded.end.signal != 0) lines.push_back(end_words(recorded.end, status));
    return lines;
  }
  const bool found = recorded.recording && recorded.recording->found != Found::none;
  if (found) {
    lines.push_back(iteration_words(*recorded.recording, status));
    if (!recorded.recording->why_none.empty()) lines.push_back(recorded.recording->why_none);
    if (recorded.end.signal != 0) lines.push_back(end_words(recorded.end, status));
  }
  if (problem != RecorderProblem::none)
    lines.push_back(problem_words(problem, recorded.problem_words));
  if (lines.empty()) lines = none_words(recorded);
  if (const std::uint32_t others = status.ignored; others > 0) {
    lines.push_back(
        fmt::format("{} more used CUDA; only the first is recorded", counted(others, "process")));
  }
  return lines;
}

}  // namespace trilane
