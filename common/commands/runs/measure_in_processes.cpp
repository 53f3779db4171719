#include <fmt/format.h>
#include <fmt/ranges.h>

#include "common/commands/runs/in_processes.hpp"
#include "common/commands/runs/runs.hpp"
#include "common/commands/runs/shown.hpp"
#include "common/measure/processes/by_setting.hpp"
#include "common/model/results/results_io.hpp"

namespace trilane {
namespace {

ProcessPlan plan_of(const RunOptions& options) {
  const ProcessRequest& processes = options.processes;
  const std::vector<Setting>& settings = processes.settings;
  ProcessPlan plan{
      .command_lines = command_lines(processes, options.comparison.seed),
      .labels = {},
      .of = processes.count,
      .seconds = 1.2 * processes.seconds * static_cast<double>(options.workloads.size())};
  for (std::size_t i = 0; i < plan.command_lines.size(); ++i) {
    std::string label =
        fmt::format("process with seed {}", options.comparison.seed + i / settings.size());
    if (settings.size() > 1) {
      label += fmt::format(", {}", fmt::join(arguments_of(settings[i % settings.size()]), " "));
    }
    plan.labels.push_back(label);
  }
  return plan;
}

}  // namespace

int measure_in_processes(const RunOptions& options, const std::string& command_line) {
  Results results;
  const auto merge = [&](std::span<const Results> of_processes) {
    return merged_by_setting(of_processes, options.processes.settings.size());
  };
  Console console({{"--json", options.outputs.json, [&] { return to_json(results); }},
                   {"--csv", options.outputs.csv, [&] { return to_csv(results); }}},
                  options.outputs.force);
  const auto finish = [&] {
    if (options.outputs.json.empty()) keep_last_results(results);
    return console.finish(screen_of(results, options.outputs.json, options.show));
  };
  console.warn(options.warnings);
  return run_in_processes(plan_of(options),
                          merged_into(results, from_json, merge, command_line, finish), console);
}

}  // namespace trilane
