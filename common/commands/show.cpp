#include <fmt/format.h>

#include <algorithm>

#include "common/analysis/derive.hpp"
#include "common/commands/command_files.hpp"
#include "common/commands/runs/shown.hpp"
#include "common/console/console.hpp"
#include "common/report/report.hpp"
#include "common/text/choice.hpp"
#include "common/text/quoting.hpp"

namespace trilane {
namespace {

using Section = Page (*)(const Comparison&, const std::string& simulated);

/// The options that ask for a page of each workload, in the order in which the pages come.
constexpr std::pair<const char*, Section> sections[] = {
    {"all", times_page},
    {"bounds", [](const Comparison& c, const std::string&) { return bounds_page(c); }},
    {"setup", [](const Comparison& c, const std::string&) { return setup_page(c); }},
    {"timeline", timeline_page}};

bool is_preset(const std::string& word) {
  return word == "custom" || std::ranges::find(presets(), word, &Workload::name) != presets().end();
}

/// The file that is named before any preset, or that of the last run.
std::string results_path(const std::vector<std::string>& operands) {
  if (!operands.empty() && !is_preset(operands.front())) return operands.front();
  const std::string last = last_results_path();
  if (!last.empty()) return last;
  throw UsageError("show: there is no home folder with the last results; name a results file");
}

/// Leaves only the comparisons of the named preset.
void keep_only(Results& results, const std::string& preset, const std::string& path) {
  std::vector<std::string> names;
  for (const Comparison& comparison : results.comparisons)
    names.push_back(comparison.workload.name);
  parse_choice("show " + printable(path), preset, names);
  std::erase_if(results.comparisons,
                [&](const Comparison& comparison) { return comparison.workload.name != preset; });
}

Page asked_for(const Results& results, const Given& given) {
  Page page;
  const std::string& simulated = results.context.simulated;
  for (const auto& [option, section] : sections) {
    if (!given.has(option)) continue;
    for (const Comparison& comparison : results.comparisons)
      append(page, section(comparison, simulated));
  }
  if (!page.empty() && !simulated.empty()) {
    page.insert(page.begin(),
                Paragraph{fmt::format("Simulated {}: no time is measured.", simulated)});
  }
  return page;
}

int show(const Given& given, const Caller&) {
  const std::string path = results_path(given.operands());
  Results results = load_results("show", path);
  derive(results);
  const std::string& last_word = given.operands().empty() ? "" : given.operands().back();
  if (given.operands().size() > 1 || is_preset(last_word)) keep_only(results, last_word, path);
  const ShowOptions options = read_show(given);
  const Page page = asked_for(results, given);
  return Console().finish(page.empty()
                              ? screen_of(results, path == last_results_path() ? "" : path, options)
                              : shown(page, options));
}

}  // namespace

Command show_command() {
  return {.name = "show",
          .operands = {"[RESULTS] [PRESET]", 0, 2, Value::file},
          .summary = "print results again, or more of them, without measuring",
          .about =
              "RESULTS is a file that trilane run --json wrote; without it the last run's. "
              "Without an option this is the screen of that run.",
          .examples = {"show launch --bounds", "show results.json --all --setup"},
          .groups = {{"What to show",
                      {{"all", "", "every variant: times, quartiles, intervals", Value::none},
                       {"bounds", "", "what the hardware allows, and what limits each variant",
                        Value::none},
                       {"setup", "", "set-up, first pass, break-even and memory", Value::none},
                       {"timeline", "", "the passes that --trace recorded", Value::none}}},
                     {"Output", {option::quiet, option::markdown}}},
          .run = show};
}

}  // namespace trilane
