#include "common/base/console/console.hpp"
#include "common/base/text/exit_code.hpp"
#include "common/commands/options/command_line.hpp"
#include "common/commands/options/run_options.hpp"
#include "common/commands/shown.hpp"
#include "common/explain/report/diff_runs.hpp"
#include "common/measure/processes/merge.hpp"

namespace trilane {
namespace {

using Paths = std::vector<std::string>;

struct Sides {
  Paths before, now;
};

Sides read_sides(const Given& given) {
  const Paths& files = given.operands();
  const std::size_t now = given.count<std::size_t>("new-runs", 1, files.size() - 1).value_or(1);
  const auto border = files.end() - static_cast<std::ptrdiff_t>(now);
  return {{files.begin(), border}, {border, files.end()}};
}

RunFile read_side(const Paths& paths, bool over_runs) {
  std::vector<Results> runs;
  for (const std::string& path : paths) runs.push_back(load_results("compare", path));
  if (!over_runs) return {paths[0], std::move(runs[0])};
  std::string name = paths[0];
  if (paths.size() > 1) name += fmt::format(" and {} more", paths.size() - 1);
  try {
    return {std::move(name), merged(runs)};
  } catch (const std::invalid_argument& error) {
    refuse("compare", name,
           fmt::format("{}; runs of one side must be of one build and work", error.what()));
  }
}

DiffRequest read_request(const Given& given, bool over_runs) {
  DiffRequest request{.over_runs = over_runs};
  request.same_within = given.share("same-within", 0, 1).value_or(request.same_within);
  request.process_spread = given.share("process-spread", 0, 1).value_or(request.process_spread);
  request.fail_beyond = given.share("fail-on-slower", 0, 1);
  return request;
}

int compare(const Given& given, const Caller&) {
  const Sides sides = read_sides(given);
  const bool over_runs = given.operands().size() > 2;
  const DiffRequest request = read_request(given, over_runs);
  const std::string json = given.output("json"), summary = given.output("summary");
  std::vector<NamedFile> inputs;
  for (const std::string& path : given.operands()) inputs.push_back({"compare", path});
  check_files({{"--json", json}, {"--summary", summary}}, inputs);
  RunChange runs;
  const auto summarised = [&] {
    return summary.ends_with(".json") ? to_json(runs) : diff_summary(runs);
  };
  Console console(
      {{"--json", json, [&] { return to_json(runs); }}, {"--summary", summary, summarised}},
      given.has("force"));
  const RunFile before = read_side(sides.before, over_runs);
  const RunFile now = read_side(sides.now, over_runs);
  runs = diff_runs(before, now, request);
  const bool failed = request.fail_beyond && worse(runs, *request.fail_beyond);
  return worse_of(failed ? exit_wrong : exit_ok,
                  console.finish(shown(diff_page(runs), read_show(given))));
}

}  // namespace

Command compare_command() {
  return {
      .name = "compare",
      .operands = {"OLD... NEW...", 2, 1000, Value::file},
      .summary = "compare two runs, variant by variant: same, faster or slower",
      .about =
          "OLD and NEW are files from trilane run --json, for example of two machines, drivers "
          "or revisions. With more than two files, intervals are over runs; the last "
          "file is NEW, or as many as --new-runs says.",
      .examples = {"compare before.json after.json --fail-on-slower 2%",
                   "compare old*.json new.json --summary summary.md"},
      .groups = {{"How to judge",
                  {{"new-runs", "N", "the number of files that are NEW (default: 1)"},
                   {"fail-on-slower", "PERCENT",
                    "exit with 1 if a variant has LOST its times or is SLOWER, with its whole "
                    "interval, by more than this share of its old time"},
                   {"same-within", "PERCENT",
                    "the largest difference that counts as SAME (default: 2%)"},
                   {"process-spread", "PERCENT",
                    "how far two processes may differ, if a file holds only one (default: "
                    "25%)"}}},
                 {"Output",
                  {{"json", "FILE", "every difference; - is standard output", Value::file},
                   {"summary", "FILE",
                    "Markdown for the summary of a CI job; JSON, as --json, if the name ends in "
                    ".json",
                    Value::file},
                   option::force}}},
      .run = compare};
}

}  // namespace trilane
