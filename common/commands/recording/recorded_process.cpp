#include "common/commands/recording/recorded_process.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <csignal>

#include "common/base/json/document.hpp"
#include "common/base/json/members.hpp"
#include "common/base/text/exit_code.hpp"
#include "common/base/text/size.hpp"
#include "common/base/text/words.hpp"
#include "common/explain/analysis/verdict/derive.hpp"
#include "common/explain/statistics/statistics.hpp"
#include "common/measure/processes/merge.hpp"

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

std::string problem_words(const RecorderStatus& status) {
  // Terminated and printable, whatever the application left there.
  const std::string words =
      printable({status.words, strnlen(status.words, RecorderStatus::most_words)});
  switch (status.problem.load()) {
    case RecorderProblem::none: return {};
    case RecorderProblem::no_cupti: return fmt::format("nothing was recorded: {}", words);
    case RecorderProblem::other_subscriber:
      return "nothing was recorded: another tool (a profiler, debugger or sanitizer) used CUPTI, "
             "which serves only one, until the end; run the application without it";
    case RecorderProblem::cupti_failed:
      return fmt::format("nothing was recorded: CUPTI failed ({})", words);
    case RecorderProblem::failed: return fmt::format("recording stopped after an error: {}", words);
    case RecorderProblem::not_written:
      return fmt::format("the findings could not be written: {}", words);
  }
  return fmt::format("nothing was recorded: {}", words);
}

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
  // The screen says why.
  if (recorded.recording && recorded.recording->calls.empty() &&
      !recorded.recording->why_none.empty()) {
    lines.push_back(recorded.recording->why_none);
  }
  return lines;
}

namespace fs = std::filesystem;

/// Returns the path of the library to load into the application. Throws NotPossible without it.
std::string recorder_library() {
  constexpr char name[] = "libtrilane-record.so";
  const fs::path library = part_of_program(name);
  if (!library.empty()) return library;
  throw NotPossible(
      fmt::format("there is no {} beside this program or in ../lib/trilane/; build it (ninja "
                  "trilane_record), or install it with the program",
                  name));
}

using Environment = std::vector<std::pair<std::string, std::string>>;

/// Returns what the library reads for the replay; `file` gets its record. Empty with --no-replay.
Environment replay_environment(const Given& given, const fs::path& file) {
  constexpr double longest_us = 3600e6, us_in_second = 1e6;
  if (given.has("no-replay")) {
    for (const char* option :
         {"stop", "skip-host-functions", "time", "processes", "aa", "snapshot"}) {
      given.forbid(option, "there is no replay with --no-replay");
    }
    return {};
  }
  Environment environment{{replay_variable, file}};
  const auto repeats = given.count("aa", 1U, 10'000U);
  if (repeats) environment.emplace_back(replay_repeats_variable, fmt::to_string(*repeats));
  if (const auto us = given.time_us("time", longest_us)) {
    environment.emplace_back(replay_seconds_variable, fmt::to_string(*us / us_in_second));
  } else if (repeats) {
    environment.emplace_back(replay_seconds_variable, "0.2");
  }
  if (const auto bytes = given.read("snapshot", parse_size)) {
    environment.emplace_back(replay_bytes_variable, fmt::to_string(*bytes));
  }
  if (given.has("skip-host-functions")) environment.emplace_back(replay_without_variable, "1");
  if (given.has("stop")) environment.emplace_back(replay_stop_variable, "1");
  return environment;
}

Environment environment_for(const Given& given, const fs::path& folder) {
  const std::string library = recorder_library();
  Environment environment{{"CUDA_INJECTION64_PATH", library},
                          {status_variable, folder / "status"},
                          {recording_variable, folder / "recording"}};
  if (const auto thread = given.count<std::uint32_t>("thread", 1, 10'000)) {
    environment.emplace_back(thread_variable, fmt::to_string(*thread));
  }
  if (given.has("with-data")) environment.emplace_back(data_variable, "1");
  if (const auto bytes = given.read("memory", parse_size)) {
    environment.emplace_back(memory_variable, fmt::to_string(*bytes));
  }
  if (const auto range = given.text("iteration")) {
    environment.emplace_back("NVTX_INJECTION64_PATH", library);
    environment.emplace_back(range_variable, *range);
  }
  for (auto& variable : replay_environment(given, folder / "replay")) {
    environment.push_back(variable);
  }
  return environment;
}

std::atomic<pid_t> application = 0;
std::atomic<bool> stopped = false;

/// The terminal sends its signals to the whole group, so the application gets them already.
void pass_on(int signal, siginfo_t* from, void*) {
  const int error = errno;
  stopped = true;
  if (from->si_code <= 0 && application > 0) kill(application, signal);
  errno = error;
}

/// While it lives, signals do not end this program, which has to tell how the application ended.
class SignalsPassedOn : boost::noncopyable {
 public:
  SignalsPassedOn() {
    for (std::size_t i = 0; i < std::size(signals); ++i) {
      struct sigaction action {};
      action.sa_sigaction = pass_on;
      action.sa_flags = SA_SIGINFO | SA_RESTART;
      sigaction(signals[i], nullptr, &old_[i]);
      if (old_[i].sa_handler != SIG_IGN) sigaction(signals[i], &action, nullptr);
    }
  }
  ~SignalsPassedOn() {
    application = 0;
    for (std::size_t i = 0; i < std::size(signals); ++i) sigaction(signals[i], &old_[i], nullptr);
  }

 private:
  static constexpr int signals[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT};
  struct sigaction old_[std::size(signals)] = {};
};

ApplicationEnd run_application(const std::vector<std::string>& words,
                               const Environment& environment) {
  // This program ignores these two signals for its own sake.
  ProcessStart start{.words = words, .default_signals = {SIGPIPE, SIGXFSZ}};
  for (const auto& [name, value] : environment) start.variables.push_back(name + "=" + value);
  const SignalsBlocked blocked;  // until they can be passed on
  const SignalsPassedOn signals;
  Process process(start, blocked);
  stopped = false;
  if (!process.ended()) application = process.id();
  blocked.release();
  const ProcessEnd end = process.wait();
  return {end, end.start_error == 0 && stopped};
}

RecorderStatus* new_page(const fs::path& path) {
  const auto fail = [&] { throw std::system_error(errno, std::generic_category(), path); };
  const int file = open(path.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
  if (file < 0) fail();
  void* page = MAP_FAILED;
  if (ftruncate(file, sizeof(RecorderStatus)) == 0)
    page = mmap(nullptr, sizeof(RecorderStatus), PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  close(file);
  if (page == MAP_FAILED) fail();
  return new (page) RecorderStatus;
}

/// Returns the record that the library left, with everything that follows from it; absent if it
/// left none. Throws std::invalid_argument if it cannot be read.
std::optional<ReplayRecord> replay_in(const fs::path& file) {
  if (!fs::exists(file)) return std::nullopt;
  ReplayRecord record = replay_from_json(content_of_input(file));
  if (record.comparison) {
    record.comparison->host_us = record.host_us;
    derive(*record.comparison, "");
  }
  for (Comparison& comparison : record.with_itself) derive(comparison, "");
  return record;
}

void ensure_same(const Comparison& first, const Comparison& other) {
  const std::optional<RecordedCalls>& one = first.workload.recorded;
  const std::optional<RecordedCalls>& two = other.workload.recorded;
  if (one == two) return;
  throw std::invalid_argument(fmt::format(
      "one has {} calls that copy {} bytes, another {} that copy {}, or other operations",
      one->calls, one->in_bytes + one->out_bytes, two->calls, two->in_bytes + two->out_bytes));
}

/// Merges a member of a replay's record over processes, by its type: true in any.
void merge_into(bool& all, const std::vector<bool>& each) { all = includes(each, true); }

void merge_into(double& all, const std::vector<double>& each) { all = median(each); }

/// Keeps, for memory that is uncertain in several processes, the largest number of differing bytes.
void merge_into(std::vector<UncertainMemory>& all,
                const std::vector<std::vector<UncertainMemory>>& each) {
  for (const UncertainMemory& memory : std::views::join(each)) {
    const auto known = std::ranges::find(all, memory.memory, &UncertainMemory::memory);
    if (known == all.end()) {
      all.push_back(memory);
    } else {
      known->bytes = std::max(known->bytes, memory.bytes);
    }
  }
}

/// Keeps any other member as in the first process.
template <typename Field>
void merge_into(Field&, const std::vector<Field>&) {}

}  // namespace

std::vector<std::string> recorded_words(const Recorded& recorded) {
  const RecorderStatus& status = recorded.status;
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
  if (const std::string problem = problem_words(status); !problem.empty()) lines.push_back(problem);
  if (lines.empty()) lines = none_words(recorded);
  if (const std::uint32_t others = status.ignored; others > 0) {
    lines.push_back(
        fmt::format("{} more used CUDA; only the first is recorded", counted(others, "process")));
  }
  return lines;
}

RecordedProcess::RecordedProcess(const Given& given)
    : folder(fs::temp_directory_path()),
      page(new_page(folder.path() / "status")),
      recorded{.end = run_application(given.operands(), environment_for(given, folder.path())),
               .status = *page} {
  const fs::path file = folder.path() / "recording";
  try {
    if (fs::exists(file)) recorded.recording = recording_from_json(content_of_input(file));
  } catch (const std::invalid_argument& error) {
    recorded.unreadable = error.what();
  }
  try {
    replay = replay_in(folder.path() / "replay");
  } catch (const std::invalid_argument& error) {
    unreadable_replay = error.what();
  }
}

ReplayRecord merged_replay(const std::vector<ReplayRecord>& records) {
  if (records.empty()) throw std::invalid_argument("no replays to merge");
  ReplayRecord all = records.front();
  if (records.size() == 1) return all;
  for_each_member<ReplayRecord>([&]<typename Member>(Member member) {
    std::vector<typename Member::Field> each;
    for (const ReplayRecord& record : records) each.push_back(record.*member.pointer);
    merge_into(all.*member.pointer, each);
  });
  std::vector<Results> results;
  for (const ReplayRecord& record : records) {
    ensure_same(*records.front().comparison, *record.comparison);
    if (record.threads != all.threads) {
      throw std::invalid_argument("they were replayed by different numbers of threads at once");
    }
    results.emplace_back().comparisons = {*record.comparison};
  }
  all.comparison = merged(results).comparisons.front();
  all.comparison->host_us = all.host_us;
  derive(*all.comparison, "");
  return all;
}

}  // namespace trilane
