#include "common/commands/recording/recorded_process.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <new>
#include <system_error>

#include "common/application/iteration/recording_file.hpp"
#include "common/base/json/input_file.hpp"
#include "common/base/text/exit_code.hpp"
#include "common/base/text/quoting.hpp"
#include "common/base/text/size.hpp"
#include "common/base/text/words.hpp"
#include "common/commands/recording/recorded_replay.hpp"
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
      return "nothing was recorded: another tool (a profiler, debugger or sanitizer) uses CUPTI, "
             "which serves only one; run the application without it";
    case RecorderProblem::cupti_failed:
      return fmt::format("nothing was recorded: CUPTI failed ({})", words);
    case RecorderProblem::failed: return fmt::format("recording stopped after an error: {}", words);
    case RecorderProblem::not_written:
      return fmt::format("the findings could not be written: {}", words);
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

namespace fs = std::filesystem;

/// Returns the path of the library that is loaded into the application: beside this program, or in
/// lib/trilane beside the folder of an installed one. Throws NotPossible if it is in neither.
std::string recorder_library() {
  std::error_code error;
  const fs::path program = fs::read_symlink("/proc/self/exe", error);
  if (error) throw NotPossible("recording needs /proc: " + error.message());
  constexpr char name[] = "libtrilane-record.so";
  const fs::path folder = program.parent_path();
  for (const fs::path& place : {folder / name, folder.parent_path() / "lib" / "trilane" / name}) {
    if (fs::exists(place, error)) return place;
  }
  throw NotPossible(
      fmt::format("there is no {} in {} or ../lib/trilane/; build it (ninja trilane_record), or "
                  "install it with the program",
                  name, in_quotes(folder.string())));
}

using Environment = std::vector<std::pair<std::string, std::string>>;

Environment environment_for(const RecordingRequest& request, const Given& given,
                            const fs::path& folder) {
  const std::string library = recorder_library();
  Environment environment{{"CUDA_INJECTION64_PATH", library},
                          {status_variable, folder / "status"},
                          {recording_variable, folder / "recording"}};
  if (request.with_data) environment.emplace_back(data_variable, "1");
  if (!request.range.empty()) {
    environment.emplace_back("NVTX_INJECTION64_PATH", library);
    environment.emplace_back(range_variable, request.range);
  }
  for (auto& variable : replay_environment(given, folder / "replay")) {
    environment.push_back(variable);
  }
  return environment;
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

StatusPage::StatusPage(const std::string& path) {
  const auto fail = [&] { throw std::system_error(errno, std::generic_category(), path); };
  const int file = open(path.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
  if (file < 0) fail();
  void* page = MAP_FAILED;
  if (ftruncate(file, sizeof(RecorderStatus)) == 0)
    page = mmap(nullptr, sizeof(RecorderStatus), PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  close(file);
  if (page == MAP_FAILED) fail();
  page_ = new (page) RecorderStatus;
}

StatusPage::~StatusPage() { munmap(page_, sizeof(RecorderStatus)); }

std::string StatusPage::words() const {
  return printable({page_->words, strnlen(page_->words, RecorderStatus::most_words)});
}

RecordedProcess::RecordedProcess(const RecordingRequest& request, const Given& given)
    : folder_(fs::temp_directory_path()),
      page_(folder_.path() / "status"),
      recorded_{
          .end = run_application(request.words, environment_for(request, given, folder_.path())),
          .status = *page_,
          .problem_words = page_.words(),
          .recording = {},
          .unreadable = {}} {
  const fs::path file = folder_.path() / "recording";
  try {
    if (fs::exists(file)) recorded_.recording = recording_from_json(content_of_input(file));
  } catch (const std::invalid_argument& error) {
    recorded_.unreadable = error.what();
  }
  try {
    replay_ = replay_in(folder_.path() / "replay");
  } catch (const std::invalid_argument& error) {
    unreadable_replay_ = error.what();
  }
}

}  // namespace trilane
