#include "common/explain/fleet/fleet_parts.hpp"
#include "common/explain/report/diff_runs.hpp"

namespace trilane {
namespace {

using Machines = std::set<std::size_t>;

/// The machines with each value of a setting.
using SettingValues = std::map<std::string, Machines>;

std::map<std::string, SettingValues> settings_of(const std::vector<FleetRun>& runs,
                                                 const Places& places) {
  std::map<std::string, SettingValues> settings;
  for (std::size_t i = 0; i < runs.size(); ++i) {
    for (const ContextDifference& setting : differences({}, runs[i].context)) {
      settings[setting.what][setting.now].insert(places[i]);
    }
  }
  return settings;
}

}  // namespace

void find_odd_settings(const std::vector<FleetRun>& runs, const Places& places, Fleet& fleet) {
  for (auto& [name, values] : settings_of(runs, places)) {
    Machines without;
    for (const std::size_t machine : places) without.insert(machine);
    for (const auto& [value, machines] : values) {
      for (const std::size_t machine : machines) without.erase(machine);
    }
    if (!without.empty()) values["nothing"] = without;
    const auto usual =
        std::ranges::max_element(values, {}, [](const auto& value) { return value.second.size(); });
    if (2 * usual->second.size() <= fleet.machines.size()) continue;
    for (const auto& [value, machines] : values) {
      if (value == usual->first) continue;
      OddSetting odd{name, value, usual->first, {}};
      for (const std::size_t machine : machines)
        odd.machines.push_back(fleet.machines[machine].name);
      fleet.settings.push_back(std::move(odd));
    }
  }
}

}  // namespace trilane
