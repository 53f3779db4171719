#include <signal.h>
#include <unistd.h>

#include "common/application/iteration/recording_file.hpp"
#include "common/base/console/output_file.hpp"
#include "common/base/json/document.hpp"
#include "common/base/system/process.hpp"
#include "common/commands/options/command_line.hpp"
#include "common/commands/shown.hpp"
#include "common/explain/fleet/history.hpp"
#include "common/model/results/results_io.hpp"

namespace trilane {
namespace {

namespace fs = std::filesystem;

struct ReportFiles {
  std::string results, recording, merged;  ///< empty if none exists; the last: fleet or history
  std::string page;                        ///< to be written
};

using Member = std::string ReportFiles::*;

/// Returns the member that the word belongs to. The first one names a file to read in any case.
Member member_for(const std::string& word, bool first) {
  constexpr std::size_t header = 200;  // files of merge may be too large to be read
  std::string text = start_of_input(word, header);
  for (const Schema& schema : {fleet_schema, history_schema}) {
    if (text.find(schema.name) != std::string::npos) return &ReportFiles::merged;
  }
  try {
    text = content_of_input(word);
  } catch (const std::invalid_argument&) {
    // a page to be written, or a first file, whose reader says what is wrong
  }
  if (is_recording(text)) return &ReportFiles::recording;
  return first || is_results(text) ? &ReportFiles::results : &ReportFiles::page;
}

std::string page_for(fs::path file) {
  if (file.extension() == ".gz") file.replace_extension();
  return file.replace_extension(".html");
}

ReportFiles named_by(const std::vector<std::string>& words) {
  ReportFiles named;
  for (std::size_t i = 0; i < words.size(); ++i) {
    const std::string& word = words[i];
    const Member member = member_for(word, i == 0);
    if (!(named.*member).empty()) {
      refuse("report", word,
             member == &ReportFiles::page
                 ? fmt::format(
                       "holds neither results nor a recording, and the page is {}; name one page",
                       in_quotes(named.page))
                 : fmt::format("holds what {} does; name one recording and its results",
                               in_quotes(named.*member)));
    }
    if (!named.page.empty()) refuse("report", named.page, "is the page; name it last");
    named.*member = word;
  }
  if (named.page.empty()) named.page = page_for(words.front());
  return named;
}

void check_same_application(const ReportFiles& named, const Results& results,
                            const ApplicationRecording& recording) {
  for (const Comparison& comparison : results.comparisons) {
    const auto& recorded = comparison.workload.recorded;
    if (!recorded) {
      refuse("report", named.results,
             "is not from a replay; name a file from trilane record --results, or leave out the "
             "recording");
    }
    if (recorded->calls == recording.calls.size() &&
        recording.application.starts_with(comparison.workload.name)) {
      continue;
    }
    refuse("report", named.results,
           "is of {}, {}, and {} of {}, {}; name the two files of one trilane record",
           in_quotes(comparison.workload.name), counted(recorded->calls, "call"),
           in_quotes(named.recording), in_quotes(recording.application),
           counted(recording.calls.size(), "call"));
  }
}

/// Reads the files that the words name: results, a recording, or both in either order, and then a
/// page, which by default gets the name of the first. Throws UsageError with the word for a file
/// that cannot be read, two of a kind, or results of another recording's replay.
ReportFiles report_files(const std::vector<std::string>& words) {
  ReportFiles files = named_by(words);
  Results results;
  if (!files.results.empty()) results = load_results("report", files.results);
  if (!files.recording.empty()) {
    check_same_application(files, results, load_recording("report", files.recording));
  }
  return files;
}

/// Returns true if the command runs and succeeds. Searches the PATH, and prints nothing.
bool succeeds(const std::vector<std::string>& words) {
  Process process({.words = words, .streams = {{{}, {}, {.path = "/dev/null"}}}});
  return process.wait().shell_code() == 0;
}

fs::path own_path() {
  std::error_code none;
  return fs::read_symlink("/proc/self/exe", none);
}

/// Returns the script plots/report.py. It lies beside an installed program in share/, and beside a
/// build folder in the source tree. Throws NotPossible if it is in neither.
fs::path report_script() {
  std::error_code none;
  const fs::path folder = own_path().parent_path();
  for (const char* place : {"../share/trilane/plots/report.py", "../plots/report.py"}) {
    if (fs::path path = (folder / place).lexically_normal(); fs::exists(path, none)) return path;
  }
  throw NotPossible(
      "report: the scripts are not installed beside {}: run an installed program, or one in its "
      "build folder",
      in_quotes(folder.string()));
}

/// Returns the first Python with the modules of the scripts. Throws NotPossible without one.
std::string python() {
  const char* const own = std::getenv("PYTHON");
  for (const std::string name : {own ? own : "python3", "python3", "/usr/bin/python3"}) {
    if (succeeds({name, "-c", "import matplotlib; from jsonschema import Draft202012Validator"})) {
      return name;
    }
  }
  throw NotPossible(
      "report: no Python here can import matplotlib and jsonschema 4: install python3-matplotlib "
      "and python3-jsonschema, or set PYTHON to one that can");
}

/// Becomes the command. Signals that stop a run wait until its script takes them, in
/// plots/stopping.py: Python's way is a traceback. Throws NotPossible.
[[noreturn]] void become(std::vector<std::string> words) {
  sigset_t stopping;
  sigemptyset(&stopping);
  for (const int signal : InterruptGuard::signals) sigaddset(&stopping, signal);
  sigprocmask(SIG_BLOCK, &stopping, nullptr);
  execvp(words[0].c_str(), pointers_to(words).data());
  throw NotPossible("report: {} cannot be started ({})", in_quotes(words.front()),
                    std::strerror(errno));
}

std::string trace_path(const Given& given) {
  const std::string path = given.text_or_refuse("trace", "names no file; give one");
  try {
    content_of_input(path);
  } catch (const std::invalid_argument& error) {
    refuse("--trace", path, "{}; give what --trace wrote in that run", error.what());
  }
  return path;
}

/// Adds the script's words for a file of answers or loops if the option was given. `load` reads the
/// file first, so that a wrong one is refused here, too.
template <typename Load>
void add_file(const Given& given, const std::string& option, Load load,
              std::vector<std::string>& words) {
  if (!given.has(option)) return;
  const std::string path = given.text_or_refuse(option, "names no file; give one");
  load("--" + option, path);
  words.push_back("--" + option + "=" + path);
}

int report(const Given& given, const Caller&) {
  const ReportFiles files = report_files(given.operands());
  if (!files.recording.empty()) {
    given.forbid("trace", "the timeline is the recording's; leave it out");
  }
  OutputFile("report", files.page, given.has("force"));  // refuses a page that cannot be written
  std::vector<std::string> words{python(), report_script()};
  if (!files.results.empty()) words.push_back(files.results);
  if (given.has("trace")) words.push_back(trace_path(given));
  words.push_back(files.page);
  if (!files.merged.empty()) words.push_back("--merged=" + files.merged);
  if (!files.recording.empty()) words.push_back("--recording=" + files.recording);
  add_file(given, "answers", load_replies, words);
  add_file(given, "loop", load_loops, words);
  words.push_back("--program=" + own_path().string());
  become(std::move(words));
}

}  // namespace

Command report_command() {
  return {
      .name = "report",
      .operands = {"RESULTS|RECORDING|MERGED [RESULTS] [HTML]", 1, 3, Value::file},
      .summary = "make an HTML page of answers, tables, pictures and timelines",
      .about =
          "RESULTS is a file from trilane run --json or trilane record --results. RECORDING is a "
          "file from trilane record --save; the results of its replay may follow it. MERGED is "
          "from trilane merge, fleet or history. Files are recognised by their content. HTML "
          "defaults to the name of the first file. The page is one file that needs no network. "
          "Making it needs Python with matplotlib and jsonschema, and D3 (the package node-d3).",
      .examples = {"report results.json", "report results.json page.html --trace trace.json",
                   "report results.json --answers answers.json --loop loop.json",
                   "report app.recording app.results", "report fleet.json"},
      .groups = {{"Options",
                  {{"trace", "FILE", "trace from --trace of the same run, for the timelines",
                    Value::file},
                   {"answers", "FILE", "answers from trilane ask --json, as a section of the page",
                    Value::file},
                   {"loop", "FILE", "results from trilane loop --json, as a section of the page",
                    Value::file},
                   option::force}}},
      .run = report};
}

}  // namespace trilane
