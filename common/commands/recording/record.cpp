#include "common/application/diagnosis/diagnosis_page.hpp"
#include "common/application/diagnosis/make_diagnosis.hpp"
#include "common/application/iteration/capture_obstacles.hpp"
#include "common/application/iteration/recording_file.hpp"
#include "common/application/source/debug_information.hpp"
#include "common/base/console/console.hpp"
#include "common/base/text/exit_code.hpp"
#include "common/base/text/page.hpp"
#include "common/base/text/words.hpp"
#include "common/commands/options/command_line.hpp"
#include "common/commands/recording/recorded_process.hpp"
#include "common/commands/shown.hpp"
#include "common/explain/analysis/verdict/derive.hpp"
#include "common/explain/report/report.hpp"
#include "common/measure/context/context.hpp"
#include "common/model/results/results_io.hpp"

namespace trilane {
namespace {

/// The application owns standard output.
std::string file_of(const Given& given, const char* option) {
  const std::string path = given.output(option);
  if (path == "-") {
    throw UsageError(
        fmt::format("--{} '-': standard output is the application's; name a file", option));
  }
  return path;
}

void forbid_set(const char* variable) {
  const char* const text = std::getenv(variable);
  if (text == nullptr) return;
  throw UsageError(
      fmt::format("{} is already {}: another tool would be loaded into the application; unset it",
                  variable, in_quotes(text)));
}

std::uint32_t processes_in(const Given& given) {
  constexpr std::uint32_t most = 1000;
  const auto processes = given.count("processes", 1U, most);
  if (processes && given.has("aa")) {
    given.forbid("processes", "--aa compares within one process");
  }
  return processes.value_or(1);
}

/// The files that the user asked for: empty until there is something to write.
struct RecordedFiles {
  std::string recording, diagnosis, results;
};

Results results_of(const ReplayRecord& replay, const Recorded& all, const std::string& line) {
  Results results;
  results.context = program_context();
  results.context.command_line = line;
  results.context.notes = reservations_on(replay);
  if (all.recording) {
    std::ranges::copy(capture_words(capture_obstacles(*all.recording)),
                      std::back_inserter(results.context.notes));
    const RecordedMachine& machine = all.recording->machine;
    results.context.gpu = {{"name", machine.gpu},
                           {"driver_version", machine.driver},
                           {"cuda_runtime_version", machine.cuda}};
  }
  results.comparisons = replay.with_itself;
  if (replay.comparison) results.comparisons = {*replay.comparison};
  derive_answers(results);
  return results;
}

std::string not_counted(std::size_t process, const std::string& why) {
  return fmt::format("process {} is excluded: {}", process, why);
}

std::optional<ReplayRecord> replay_in(const std::vector<ReplayRecord>& replays, Console& console) {
  if (replays.empty()) return std::nullopt;
  std::vector<ReplayRecord> compared;
  std::ranges::copy_if(replays, std::back_inserter(compared),
                       [](const ReplayRecord& one) { return one.comparison.has_value(); });
  ReplayRecord replay = compared.empty() ? replays.front() : compared.front();
  try {
    if (!compared.empty()) replay = merged_replay(compared);
  } catch (const std::invalid_argument& error) {
    console.complain(fmt::format("the processes repeat different iterations: {}", error.what()));
  }
  return replay;
}

void tell_missing(const RecordedProcess& process, std::size_t number, Console& console) {
  const auto& replay = process.replay;
  if (replay && replay->comparison) return;
  const ApplicationEnd& end = process.recorded.end;
  if (end.start_error != 0) {
    return console.complain(not_counted(number, std::strerror(end.start_error)));
  }
  std::string why = fmt::format("{}", fmt::join(recorded_words(process.recorded), "; "));
  if (replay) why = refusal_words(*replay);
  if (!process.unreadable_replay.empty()) {
    why = "the replay's record " + process.unreadable_replay;
  }
  console.complain(not_counted(number, why));
}

struct RecordedRun {
  std::unique_ptr<RecordedProcess> first;  ///< the one that is diagnosed
  std::vector<ReplayRecord> replays;
  int code = 0;  ///< of the last process, as a shell would give it
};

/// Runs the application `count` times; stops early on failure or a signal.
RecordedRun run_all(const Given& given, std::uint32_t count, Console& console) {
  RecordedRun run;
  for (std::uint32_t number = 1; number <= count; ++number) {
    std::unique_ptr<RecordedProcess> process;
    try {
      process = std::make_unique<RecordedProcess>(given);
    } catch (const NotPossible& error) {
      if (number == 1) throw;
      console.complain(not_counted(number, error.what()));
      run.code = exit_not_possible;
      break;  // the results of the others are told
    }
    const ApplicationEnd& end = process->recorded.end;
    run.code = end.shell_code();
    if (number > 1 || (count > 1 && process->replay)) {
      tell_missing(*process, number, console);
    } else if (!process->unreadable_replay.empty()) {
      console.complain(fmt::format("the replay's record {}", process->unreadable_replay));
    }
    if (process->replay) run.replays.push_back(*process->replay);
    if (!run.first) run.first = std::move(process);
    if (number == count || (run.code == 0 && !end.stopped)) continue;
    if (run.code == 0) {
      console.complain(fmt::format("stopped after process {} by a signal", number));
    } else if (end.start_error == 0) {
      console.complain(fmt::format("process {} ended with exit code {}, so {} did not run", number,
                                   run.code, count - number));
    }
    break;
  }
  return run;
}

Page pages_of(const Given& given, const Diagnosis& diagnosis, const ReplayRecord* replay) {
  if (!given.has("all")) {
    const std::string save = given.output("save");
    const std::string more = more_on(save.empty() ? "FILE" : save, given.output("results"));
    const char* const first =
        save.empty() ? "trilane record --save FILE keeps the recording, then " : "";
    return one_screen(diagnosis, replay, first + more);
  }
  Page page = diagnosis_page(diagnosis);
  if (replay) append(page, replay_page(*replay, diagnosis.capture, diagnosis.graph.least_us));
  return page;
}

void tell(const Recorded& all, const std::vector<ReplayRecord>& replays, const Given& given,
          const std::string& line, Console& console, RecordedFiles& files) {
  for (const std::string& words : recorded_words(all)) console.complain(words);
  const std::optional<ReplayRecord> replay = replay_in(replays, console);
  if (all.recording) {
    files.recording = recording_to_json(*all.recording);
    const Diagnosis diagnosis = diagnosis_of(*all.recording);
    files.diagnosis = to_json(diagnosis);
    const bool plain = replay && replay->with_itself.empty();
    if (diagnosis.calls > 0) {
      console.tell(as_text(pages_of(given, diagnosis, plain ? &*replay : nullptr)));
    }
  }
  if (replay && (replay->comparison || !replay->with_itself.empty())) {
    const Results results = results_of(*replay, all, line);
    if (!replay->comparison) console.tell(as_text(aa_page(results)));
    files.results = to_json(results);
  }
  if (all.recording) return;
  for (const char* option : {"save", "json"}) {
    if (!given.has(option)) continue;
    console.complain(
        fmt::format("--{} {}: there is nothing to save", option, in_quotes(*given.text(option))));
  }
}

int record(const Given& given, const Caller& caller) {
  const std::vector<std::string>& words = given.operands();
  const std::string range = given.text_or_refuse("iteration", "names no NVTX range");
  forbid_set("CUDA_INJECTION64_PATH");
  if (!range.empty()) forbid_set("NVTX_INJECTION64_PATH");
  if (words.front().empty()) throw UsageError("record '': names no application");
  const std::string save = file_of(given, "save"), json = file_of(given, "json"),
                    results = file_of(given, "results");
  if (save.empty()) {
    for (const char* option : {"with-data", "with-source"}) {
      given.forbid(option, "applies to the recording; add --save FILE");
    }
  }
  const std::uint32_t count = processes_in(given);
  check_files({{"--save", save}, {"--json", json}, {"--results", results}}, {});
  RecordedFiles files;
  Console console({{"--save", save, [&] { return files.recording; }},
                   {"--json", json, [&] { return files.diagnosis; }},
                   {"--results", results, [&] { return files.results; }}},
                  given.has("force"));
  const RecordedRun run = run_all(given, count, console);
  Recorded& all = run.first->recorded;
  if (all.end.start_error != 0) {
    console.complain(fmt::format("record {}: cannot be started ({})", in_quotes(words.front()),
                                 std::strerror(all.end.start_error)));
    return run.code;
  }
  if (all.recording) resolve_source(*all.recording, given.has("with-source"));
  tell(all, run.replays, given, caller.line, console, files);
  const ExitCode written = console.finish();
  return run.code == 0 ? written : run.code;
}

}  // namespace

Command record_command() {
  return {
      .name = "record",
      .operands = {"[--] APPLICATION [ARGUMENTS]", 1, 1'000'000, Value::file, "", true},
      .summary = "show where an application's time goes; try it as a graph",
      .about =
          "Starts the application with a library that the driver loads and that records its calls. "
          "The library finds the iteration that the application repeats and replays it in place: "
          "as the same calls, as graphs and with other memory. It checks every byte, and the "
          "application continues from where it was. When the application has ended, the findings "
          "are printed on standard error. The application keeps its own input, output and exit "
          "code. Everything after -- belongs to the application.",
      .examples = {"record -- ./app --size 1000", "record --iteration step -- python3 train.py",
                   "record --save app.recording -- ./app"},
      .groups = {{"What to record",
                  {{"iteration", "NAME",
                    "the NVTX range of an iteration (default: the calls that repeat)"},
                   {"thread", "N",
                    "record only the calls of the N-th thread, in the order of first calls "
                    "(default: all, or the thread with the most calls among those that repeat)"},
                   {"with-data", "", "also record the values of constant kernel arguments"},
                   {"with-source", "", "also record the folders of source files"},
                   {"memory", "SIZE",
                    "limit of what the recorder keeps: of calls in host memory, and of copies of "
                    "graphs on the device (default: 512M each)"}}},
                 {"The replay",
                  {{"no-replay", "", "only record; do not replay"},
                   {"skip-host-functions", "",
                    "leave out host functions, which no replay can call; gains are then bounds"},
                   {"stop", "", "end the application after the replay (default: continue)"},
                   {"time", "TIME",
                    "maximum measuring time of the replay, in each process (default: 7s)"},
                   {"processes", "N",
                    "run the application N times, one after another, each with the same standard "
                    "input; intervals then cover the differences between processes"},
                   {"aa", "N",
                    "instead, run N short comparisons of the same calls with themselves (--time "
                    "200ms each) and count the intervals that contain the true ratio"},
                   {"snapshot", "SIZE",
                    "maximum size of a replay's snapshot of device memory, or of copied data "
                    "(default: 4G)"}}},
                 {"Output",
                  {{"all", "", "print everything that was found, not only a screen"},
                   {"save", "FILE",
                    "the recording: calls, sizes, times, and names of functions and source files; "
                    "your data only with --with-data, folders with --with-source",
                    Value::file},
                   {"json", "FILE", "the whole diagnosis, as trilane diagnose writes it",
                    Value::file},
                   {"results", "FILE",
                    "the replay's results, every sample, for trilane show and report", Value::file},
                   option::force}}},
      .programs = Programs::gpu,
      .run = record};
}

}  // namespace trilane
