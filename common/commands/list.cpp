#include "common/base/console/console.hpp"
#include "common/commands/options/command_line.hpp"
#include "common/model/variant/variant.hpp"
#include "common/model/workload/workload.hpp"

namespace trilane {
namespace {

int list(const Given&, const Caller&) {
  std::string text = "Variants:\n";
  const std::size_t longest = std::ranges::max(names_of(registry()), {}, &std::string::size).size();
  for (const VariantEntry& entry : registry())
    text += fmt::format("  {:<{}}  {}\n", entry.name, longest, entry.summary);
  text += "\nPresets, and what limits them:\n";
  for (const Workload& preset : presets()) {
    text += fmt::format("  {:<10}  {}\n  {:<10}  {}\n", preset.name, preset.shape(), "",
                        promise_of(preset.name)->words);
  }
  return Console().finish(text);
}

}  // namespace

Command list_command() {
  return {.name = "list",
          .summary = "print the variants and the presets",
          .examples = {"list"},
          .run = list};
}

}  // namespace trilane
