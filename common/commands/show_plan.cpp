#include "common/commands/runs.hpp"
#include "common/commands/shown.hpp"
#include "common/explain/report/report.hpp"
#include "common/measure/harness/comparison_settings.hpp"

namespace trilane {
namespace {

int plan(const Given& given, const Caller& caller) {
  RunOptions options = read_plan(given, caller);
  check_read(given, options);
  Page page;
  if (options.comparison.kernel_time_us > 0) {
    page.push_back(
        Paragraph{fmt::format("The rounds for kernels of {} us are chosen on the GPU; these plans "
                              "show the preset's rounds.",
                              format_us(options.comparison.kernel_time_us))});
  }
  for (const Workload& workload : options.workloads) {
    for (const VariantEntry& entry : contenders(options.comparison))
      append(page, plan_page(workload, entry.name, entry.plan(workload)));
  }
  Console console;
  console.warn(options.warnings);
  return console.finish(shown(page, read_show(given)));
}

}  // namespace

Command plan_command() {
  return {.name = "plan",
          .summary = "print the calls, nodes and memory of each variant; needs no GPU",
          .examples = {"plan --preset launch --variant graph,pool"},
          .groups = {{"What to plan",
                      {option::presets, option::drawn, option::pipelines, option::kernel,
                       option::variants, option::reference}},
                     knob_group(),
                     {"The ways to run it", {option::host_memory, option::pools}},
                     {"Output", {option::markdown}}},
          .run = plan};
}

}  // namespace trilane
