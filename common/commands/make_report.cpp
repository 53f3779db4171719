#include <fmt/format.h>

#include <stdexcept>
#include <utility>
#include <vector>

#include "common/base/console/output_file.hpp"
#include "common/base/json/input_file.hpp"
#include "common/base/text/exit_code.hpp"
#include "common/base/text/quoting.hpp"
#include "common/commands/command_files.hpp"
#include "common/commands/options/option_parts.hpp"
#include "common/commands/runs/report_files.hpp"
#include "common/commands/runs/scripts.hpp"
#include "common/commands/runs/written.hpp"

namespace trilane {
namespace {

/// Returns the file of --trace. Throws UsageError if it cannot be read.
std::string trace_path(const Given& given) {
  const std::string path = given.text_or_refuse("trace", "names no file; give one");
  try {
    content_of_input(path);
  } catch (const std::invalid_argument& error) {
    refuse("--trace", path, fmt::format("{}; give what --trace wrote in that run", error.what()));
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
  if (!files.recording.empty()) words.push_back("--recording=" + files.recording);
  add_file(given, "answers", load_replies, words);
  add_file(given, "loop", load_loops, words);
  words.push_back("--program=" + own_path().string());
  become(std::move(words));
}

}  // namespace

Command report_command() {
  return {.name = "report",
          .operands = {"RESULTS|RECORDING [RESULTS] [HTML]", 1, 3, Value::file},
          .summary = "make a page with answers, tables, pictures and timelines",
          .about =
              "RESULTS is a file that trilane run --json or trilane record --results wrote, "
              "RECORDING one of trilane record --save, which may come with the results of its "
              "replay; what a file holds says which it is. Without HTML the page gets the name of "
              "the first file. It is one file that needs no network. Making it needs Python with "
              "matplotlib, and D3 (the package node-d3).",
          .examples = {"report results.json", "report results.json page.html --trace trace.json",
                       "report results.json --answers answers.json --loop loop.json",
                       "report app.recording app.results"},
          .groups = {{"Options",
                      {{"trace", "FILE", "what --trace wrote in the same run, for the timelines",
                        Value::file},
                       {"answers", "FILE", "what trilane ask --json wrote, for a section of it",
                        Value::file},
                       {"loop", "FILE", "what trilane loop --json wrote, likewise", Value::file},
                       option::force}}},
          .run = report};
}

}  // namespace trilane
