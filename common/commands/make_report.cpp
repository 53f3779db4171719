#include <fmt/format.h>

#include <filesystem>
#include <stdexcept>
#include <utility>
#include <vector>

#include "common/commands/command_files.hpp"
#include "common/commands/options/option_parts.hpp"
#include "common/commands/runs/scripts.hpp"
#include "common/commands/runs/written.hpp"
#include "common/console/output_file.hpp"
#include "common/json/input_file.hpp"
#include "common/text/exit_code.hpp"
#include "common/text/quoting.hpp"

namespace trilane {
namespace {

namespace fs = std::filesystem;

/// Where the report goes: the named file, or the results' name with the ending html. Throws
/// UsageError if it is there.
fs::path report_path(const Given& given) {
  const auto& operands = given.operands();
  const fs::path path = operands.size() > 1 ? fs::path(operands[1])
                                            : fs::path(operands[0]).replace_extension(".html");
  OutputFile("report", path, given.has("force"));  // refuses what cannot be written
  return path;
}

/// The file of --trace. Throws UsageError if it cannot be read.
std::string trace_path(const Given& given) {
  const std::string path = given.text_or_refuse("trace", "names no file; give one");
  try {
    content_of_input(path);
  } catch (const std::invalid_argument& error) {
    refuse("--trace", path, fmt::format("{}; give what --trace wrote in that run", error.what()));
  }
  return path;
}

/// The words for the script that name a file of answers or loops, if the option was given, after
/// `load` has read it: a wrong file is refused here as everywhere.
template <typename Load>
void add_file(const Given& given, const std::string& option, Load load,
              std::vector<std::string>& words) {
  if (!given.has(option)) return;
  const std::string path = given.text_or_refuse(option, "names no file; give one");
  load("--" + option, path);
  words.push_back("--" + option + "=" + path);
}

int report(const Given& given, const Caller&) {
  const std::string& results = given.operands()[0];
  load_results("report", results);
  const fs::path path = report_path(given);
  std::vector<std::string> words{python(), report_script(), results};
  if (given.has("trace")) words.push_back(trace_path(given));
  words.push_back(path);
  add_file(given, "answers", load_replies, words);
  add_file(given, "loop", load_loops, words);
  words.push_back("--program=" + own_path().string());
  become(std::move(words));
}

}  // namespace

Command report_command() {
  return {.name = "report",
          .operands = {"RESULTS [HTML]", 1, 2, Value::file},
          .summary = "make a page with answers, tables, pictures and timelines",
          .about =
              "RESULTS is a file that trilane run --json wrote; without HTML the page gets its "
              "name. It is one file that needs no network. Making it needs Python with "
              "matplotlib, and D3 (the package node-d3).",
          .examples = {"report results.json", "report results.json page.html --trace trace.json",
                       "report results.json --answers answers.json --loop loop.json"},
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
