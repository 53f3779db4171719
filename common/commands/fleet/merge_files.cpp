#include "common/base/console/console.hpp"
#include "common/base/json/document.hpp"
#include "common/commands/fleet/fleet_files.hpp"
#include "common/commands/shown.hpp"
#include "common/explain/fleet/fleet_reference.hpp"

namespace trilane {
namespace {

/// Returns what a list names, a file and the reason in each line, with a tab between them.
std::vector<LeftOut> listed_in(const std::string& path) try {
  constexpr std::size_t most = 1000;
  std::vector<LeftOut> listed;
  std::istringstream lines(content_of_input(path));
  for (std::string file, why; std::getline(lines, file, '\t') && std::getline(lines, why);)
    listed.push_back({printable(file, most), printable(why, most)});
  return listed;
} catch (const std::invalid_argument& error) {
  refuse("--left-out", path, error.what());
}

int merge(const Given& given, const Caller&) {
  const std::vector<std::string>& paths = given.operands();
  const std::string json = given.output("json");
  const std::string reference = given.output("as-reference");
  std::string distribution;
  check_files({{"--json", json}, {"--as-reference", reference}}, named_inputs("merge", given));
  const FleetRequest request = read_fleet_request(given);
  Fleet fleet;
  FleetFiles read;
  Console console({{"--json", json, [&] { return to_json(fleet, std::move(read.texts)); }},
                   {"--as-reference", reference, [&] { return distribution; }}},
                  given.has("force"));
  read = read_fleet_files("merge", paths, !json.empty());
  if (!reference.empty()) distribution = to_json(reference_of(read.runs));
  if (const auto list = given.text("left-out")) {
    std::ranges::move(listed_in(*list), std::back_inserter(read.left_out));
  }
  fleet = merged_fleet(read.runs, std::move(read.left_out), request);
  return worse_of(fleet.left_out.empty() ? exit_ok : exit_wrong,
                  console.finish(shown(fleet_page(fleet), read_show(given))));
}

}  // namespace

Command merge_command() {
  return {.name = "merge",
          .operands = {"FILE...", 1, 100'000, Value::file},
          .summary = "judge results of many GPUs together, and name the odd ones",
          .about =
              "Each FILE is from trilane run --json, or from merge itself. All should hold the "
              "same workloads; files of one GPU count together. Intervals are over machines. A "
              "file that cannot be read, or a variant that failed, is named, costs only itself, "
              "and makes the exit code 1.",
          .examples = {"merge node*.json --json fleet.json"},
          .groups = {{"How to judge",
                      {{"false-alarms", "PERCENT",
                        "the share of fleets without a difference in which a GPU is named "
                        "(default: 1%)"},
                       {"differs-from", "PERCENT",
                        "the smallest difference that is named (default: 1%)"}}},
                     {"Output",
                      {{"json", "FILE",
                        "the judgement, and every file with all its samples; - is standard output",
                        Value::file},
                       {"as-reference", "FILE",
                        "how times are distributed, for trilane compare --reference", Value::file},
                       {"left-out", "FILE",
                        "runs that failed: lines with a name, a tab and the reason, as trilane "
                        "fleet writes them",
                        Value::file},
                       option::markdown,
                       option::force}}},
          .run = merge};
}

}  // namespace trilane
