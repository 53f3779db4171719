#include <fmt/format.h>

#include "common/explain/fleet/fleet_parts.hpp"
#include "common/model/results/find.hpp"

namespace trilane {
namespace {

/// The settings that should not differ within a fleet.
constexpr const char* gpu_settings[] = {"name",
                                        "cuda_driver_version",
                                        "cuda_runtime_version",
                                        "driver_version",
                                        "memory_bytes",
                                        "multiprocessors",
                                        "sm_clock_max_mhz",
                                        "memory_clock_max_mhz",
                                        "power_limit_w",
                                        "pcie_generation_max",
                                        "pcie_width_max",
                                        "persistence_mode",
                                        "compute_mode",
                                        "ecc_mode",
                                        "mig_mode"};
constexpr const char* state_settings[] = {"pcie_generation", "pcie_width"};
constexpr const char* host_settings[] = {"cpu", "cpu_governor", "kernel", "os"};
/// Properties that vary from minute to minute, and can explain a difference.
constexpr const char* states[] = {"sm_clock_mhz", "memory_clock_mhz", "clocks_limited_by",
                                  "temperature_c"};

using List = std::vector<Property> Context::*;

/// The machines with each value of a property.
std::map<std::string, std::vector<std::size_t>> values_of(const std::vector<FleetRun>& runs,
                                                          const Places& places, List list,
                                                          const char* name) {
  std::map<std::string, std::vector<std::size_t>> values;
  for (std::size_t i = 0; i < runs.size(); ++i) {
    auto& machines = values[value_of(runs[i].context.*list, name)];
    if (std::ranges::find(machines, places[i]) == machines.end()) machines.push_back(places[i]);
  }
  return values;
}

}  // namespace

void find_odd_settings(const std::vector<FleetRun>& runs, const Places& places, Fleet& fleet) {
  const auto look = [&](const char* prefix, List list, std::span<const char* const> names) {
    for (const char* name : names) {
      const auto values = values_of(runs, places, list, name);
      const auto usual = std::ranges::max_element(
          values, {}, [](const auto& value) { return value.second.size(); });
      if (2 * usual->second.size() <= fleet.machines.size()) continue;
      for (const auto& [value, machines] : values) {
        if (value == usual->first) continue;
        OddSetting odd{prefix + std::string(name), value, usual->first, {}};
        for (const std::size_t machine : machines) {
          odd.machines.push_back(fleet.machines[machine].name);
        }
        fleet.settings.push_back(std::move(odd));
      }
    }
  };
  look("GPU ", &Context::gpu, gpu_settings);
  look("GPU ", &Context::gpu_after, state_settings);
  look("host ", &Context::host, host_settings);
}

/// Adds the state after the run of machines that differ, where it is not the commonest.
void add_states(const std::vector<FleetRun>& runs, const Places& places,
                std::map<std::size_t, OddMachine>& odd) {
  for (const char* name : states) {
    const auto values = values_of(runs, places, &Context::gpu_after, name);
    const auto usual =
        std::ranges::max_element(values, {}, [](const auto& value) { return value.second.size(); });
    for (std::size_t i = 0; i < runs.size(); ++i) {
      const auto found = odd.find(places[i]);
      const std::string value = value_of(runs[i].context.gpu_after, name);
      if (found == odd.end() || value == usual->first) continue;
      found->second.state.emplace_back(name, fmt::format("{} (most: {})", value, usual->first));
    }
  }
}

}  // namespace trilane
