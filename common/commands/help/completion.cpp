#include "common/commands/help/completion.hpp"

#include "common/base/text/choice.hpp"
#include "common/measure/sweep/map/axis.hpp"
#include "common/model/workload/workload.hpp"

namespace trilane {

std::vector<std::string> names_for(Value value, const char* choices, const Caller& caller) {
  switch (value) {
    case Value::preset:
    case Value::presets: {
      std::vector<std::string> names;
      for (const Workload& preset : presets()) names.push_back(preset.name);
      return names;
    }
    case Value::variant:
    case Value::variants: return caller.variants;
    case Value::choice: return split(choices, ',');
    case Value::knob: return knobs_to_sweep();
    case Value::none:
    case Value::plain:
    case Value::file: return {};
  }
  return {};
}

bool takes_several(const OptionRow& row) {
  return std::string_view(row.placeholder).ends_with(",...");
}

std::vector<std::string> knobs_to_sweep() {
  std::vector<std::string> knobs;
  for (const OptionRow& row : knob_group().rows) {
    if (is_sweepable(row.name)) knobs.push_back(std::string(row.name) + '=');
  }
  return knobs;
}

}  // namespace trilane
