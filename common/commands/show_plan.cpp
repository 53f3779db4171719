#include <fmt/format.h>

#include "common/commands/command_files.hpp"
#include "common/commands/runs.hpp"
#include "common/console/console.hpp"
#include "common/harness/contenders.hpp"
#include "common/report/report.hpp"

namespace trilane {
namespace {

int plan(const Given& given, const Caller& caller) {
  const RunOptions options = read_plan(given, caller);
  check_read(given, options.comparison, caller);
  std::string text;
  if (options.comparison.kernel_time_us > 0) {
    text += fmt::format(
        "The rounds for kernels of {} us are found on the GPU; these plans show\n"
        "the preset's rounds.\n\n",
        format_us(options.comparison.kernel_time_us));
  }
  for (const Workload& workload : options.workloads) {
    for (const VariantEntry& entry : contenders(options.comparison))
      text += plan_table(workload, entry.name, entry.plan(workload)) + "\n";
  }
  Console().say(text);
  return exit_ok;
}

}  // namespace

Command plan_command() {
  return {.name = "plan",
          .operands = {""},
          .summary = "print the calls, nodes and memory of each variant; needs no GPU",
          .about = "",
          .examples = {"plan --preset launch --variant graph,pool"},
          .groups = {{"What to plan", {option::presets, option::variants, option::reference}},
                     knob_group(option::chunks),
                     {"The ways to run it", {option::host_memory, option::pools}}},
          .run = plan};
}

}  // namespace trilane
