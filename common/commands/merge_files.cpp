#include <sstream>

#include "common/base/console/console.hpp"
#include "common/base/json/input_file.hpp"
#include "common/base/text/exit_code.hpp"
#include "common/base/text/quoting.hpp"
#include "common/commands/options/command_line.hpp"
#include "common/commands/options/run_options.hpp"
#include "common/commands/shown.hpp"
#include "common/explain/fleet/fleet.hpp"
#include "common/model/results/results_io.hpp"
#include "common/model/workload/parallel.hpp"

namespace trilane {
namespace {

/// The runs of one file, or the reason why it cannot be read.
struct ReadFile {
  std::vector<FleetRun> runs;
  std::vector<std::string> texts;  ///< of the runs, if they are kept
  std::vector<LeftOut> left_out;
};

void add_run(std::string text, const std::string& path, bool keeps, ReadFile& read) try {
  read.runs.push_back(fleet_run(path, from_json(text)));
  if (keeps) read.texts.push_back(std::move(text));
} catch (const std::invalid_argument& error) {
  read.left_out.push_back({path, error.what()});
}

ReadFile read_file(const std::string& path, bool keeps) {
  ReadFile read;
  try {
    std::string text = content_of_input(path);
    auto runs = runs_of_fleet(text);
    if (!runs) {
      add_run(std::move(text), path, keeps, read);
      return read;
    }
    for (std::size_t i = 0; i < runs->size(); ++i) {
      add_run(std::move((*runs)[i]), path + "[" + std::to_string(i) + "]", keeps, read);
    }
  } catch (const std::invalid_argument& error) {
    read.left_out.push_back({path, error.what()});
  }
  return read;
}

/// All files.
struct ReadFiles {
  std::vector<FleetRun> runs;
  std::string texts;
  std::vector<LeftOut> left_out;

  void add(ReadFile& file) {
    std::ranges::move(file.runs, std::back_inserter(runs));
    std::ranges::move(file.left_out, std::back_inserter(left_out));
    for (const std::string& text : file.texts) {
      if (!texts.empty()) texts += ",\n";
      texts.append(text, 0, text.find_last_not_of(" \t\r\n") + 1);
    }
    file = {};
  }
};

/// Reads some at a time, so that not much is held twice.
ReadFiles read_files(const std::vector<std::string>& paths, bool keeps) {
  constexpr std::size_t at_once = 32;
  ReadFiles all;
  for (std::size_t done = 0; done < paths.size(); done += at_once) {
    std::vector<ReadFile> files(std::min(at_once, paths.size() - done));
    in_parallel(files.size(), 1, [&](std::size_t first, std::size_t last) {
      for (std::size_t i = first; i < last; ++i) files[i] = read_file(paths[done + i], keeps);
    });
    for (ReadFile& file : files) all.add(file);
    if (done == 0) all.texts.reserve(all.texts.size() * paths.size() / files.size() * 11 / 10);
  }
  return all;
}

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
  std::vector<NamedFile> inputs;
  for (const std::string& path : paths) inputs.push_back({"merge", path});
  check_files({{"--json", json}}, inputs);
  FleetRequest request;
  request.false_alarms = given.share("false-alarms", 1e-6, 0.5).value_or(request.false_alarms);
  request.differs_from = given.share("differs-from", 0, 1).value_or(request.differs_from);
  Fleet fleet;
  ReadFiles read;
  Console console({{"--json", json, [&] { return to_json(fleet, std::move(read.texts)); }}},
                  given.has("force"));
  read = read_files(paths, !json.empty());
  if (read.runs.empty()) refuse("merge", read.left_out[0].file, read.left_out[0].why);
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
                       {"left-out", "FILE",
                        "runs that failed: lines with a name, a tab and the reason, as trilane "
                        "fleet writes them",
                        Value::file},
                       option::markdown,
                       option::force}}},
          .run = merge};
}

}  // namespace trilane
