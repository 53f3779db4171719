#include "common/base/console/console.hpp"
#include "common/commands/fleet/fleet_files.hpp"
#include "common/commands/shown.hpp"
#include "common/explain/fleet/history.hpp"

namespace trilane {
namespace {

int show_history(const Given& given, const Caller&) {
  const std::vector<std::string>& paths = given.operands();
  const std::string json = given.output("json");
  check_files({{"--json", json}}, named_inputs("history", given));
  const FleetRequest request = read_fleet_request(given);
  History history;
  Console console({{"--json", json, [&] { return to_json(history); }}}, given.has("force"));
  FleetFiles read = read_fleet_files("history", paths, false);
  history = history_of(read.runs, std::move(read.left_out), request);
  return worse_of(history.left_out.empty() ? exit_ok : exit_wrong,
                  console.finish(shown(history_page(history), read_show(given))));
}

}  // namespace

Command history_command() {
  return {
      .name = "history",
      .operands = {"FILE...", 1, 100'000, Value::file},
      .summary = "find the commits between which times changed",
      .about =
          "Each FILE is from trilane run --json. Give them in the order of their commits; "
          "neighbours of one revision count together. If all have one revision, because your "
          "kernels changed and Trilane did not, each file counts as a commit. Files that cannot "
          "be read and failed variants are named, and make the exit code 1.",
      .examples = {"history 1.json 2.json 3.json 4.json 5.json 6.json --json history.json"},
      .groups = {{"How to judge",
                  {{"false-alarms", "PERCENT",
                    "the share of histories without a change in which one is named (default: "
                    "1%)"},
                   {"differs-from", "PERCENT", "the smallest change that is named (default: 1%)"}}},
                 {"Output",
                  {{"json", "FILE", "changes and curves; - is standard output", Value::file},
                   option::markdown,
                   option::force}}},
      .run = show_history};
}

}  // namespace trilane
