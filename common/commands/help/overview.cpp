#include "common/commands/help/overview.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "common/harness/contenders.hpp"
#include "common/report/report.hpp"
#include "common/text/size.hpp"
#include "common/variant/variant.hpp"

namespace trilane {

std::string list_text() {
  std::string text = "Variants:\n";
  std::size_t longest = 0;
  for (const VariantEntry& entry : registry()) longest = std::max(longest, entry.name.size());
  for (const VariantEntry& entry : registry())
    text += fmt::format("  {:<{}}  {}\n", entry.name, longest, entry.summary);
  text += "\nPresets, and what dominates them:\n";
  for (const Workload& preset : presets()) {
    text += fmt::format("  {:<10}  {}\n  {:<10}  {}\n", preset.name, preset.shape(), "",
                        regime(preset.name));
  }
  return text;
}

std::string dry_run_text(const Options& options) {
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
  return text;
}

}  // namespace trilane
