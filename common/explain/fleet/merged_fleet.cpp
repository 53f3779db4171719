#include "common/base/text/words.hpp"
#include "common/explain/fleet/fleet_parts.hpp"
#include "common/explain/report/diff_runs.hpp"
#include "common/explain/statistics/statistics.hpp"
#include "common/model/results/find.hpp"

namespace trilane {
namespace {

FleetMachine machine_of(const FleetRun& run) {
  const Context& context = run.context;
  const auto gpu = [&](const char* name) { return value_of(context.gpu, name); };
  FleetMachine machine{.name = std::filesystem::path(run.file).filename(),
                       .files = {run.file},
                       .node = value_of(context.host, "node"),
                       .gpu = gpu("name"),
                       .uuid = gpu("uuid"),
                       .pci_bus_id = gpu("pci_bus_id"),
                       .driver = gpu("driver_version"),
                       .sm_clock_mhz = value_of(context.gpu_after, "sm_clock_mhz")};
  if (!machine.node.empty()) machine.name = machine.node + " GPU " + gpu("ordinal");
  return machine;
}

/// Returns what tells a GPU from all others; empty if that was not recorded.
std::string identity_of(const FleetMachine& machine) {
  if (!machine.uuid.empty()) return machine.uuid;
  if (machine.node.empty() || machine.pci_bus_id.empty()) return "";
  return machine.node + ' ' + machine.pci_bus_id;
}

/// Returns the keys in the order of the files.
std::vector<std::string> in_order(const Labels& labels, const std::vector<FleetRun>& runs) {
  std::vector<std::string> keys;
  std::set<std::string> seen;
  for (const FleetRun& run : runs) {
    for (const FleetWork& work : run.works) {
      if (labels.contains(work.key) && seen.insert(work.key).second) keys.push_back(work.key);
    }
  }
  return keys;
}

/// Judges one figure; adds it, and what differs in it, to the fleet.
void judge(const std::string& name, const FleetTimes& figure, double alarms, Fleet& fleet,
           std::map<std::size_t, OddMachine>& odd) {
  const std::vector<LogMean> values = relative_times(figure);
  const std::vector<std::size_t> found = odd_values(values, alarms, fleet.differs_from);
  std::vector<double> others;
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (!includes(found, i)) others.push_back(values[i].mean);
  }
  const LogMean rest = others.size() > 1 ? mean_of_draws(others) : LogMean{others.front()};
  FleetFigure judged{.name = name,
                     .spread = std::sqrt(rest.variance * static_cast<double>(others.size()))};
  std::size_t i = 0;
  for (const auto& [place, times] : figure.places) {
    const double ratio = std::exp(values[i].mean - rest.mean);
    judged.relative[fleet.machines[place].name] = ratio;
    if (includes(found, i)) odd[place].figures.push_back({name, ratio});
    ++i;
  }
  fleet.figures.push_back(std::move(judged));
}

void find_odd_machines(const Figures& figures, Fleet& fleet,
                       std::map<std::size_t, OddMachine>& odd) {
  const double alarms = fleet.false_alarms / static_cast<double>(figures.size());
  for (const bool cost : {true, false}) {
    for (const auto& [name, figure] : figures) {
      if (figure.cost == cost) judge(name, figure, alarms, fleet, odd);
    }
  }
  const auto costs_and_size = [&](const OddFigure& figure) {
    return std::pair(figures.at(figure.name).cost, std::abs(std::log(figure.ratio)));
  };
  for (auto& [machine, of] : odd) {
    of.machine = fleet.machines[machine].name;
    std::ranges::stable_sort(of.figures, std::greater(), costs_and_size);
  }
}

/// Adds what differences() tells of contexts, if more than half of the machines share it.
void find_odd_settings(const std::vector<FleetRun>& runs, const Places& places, Fleet& fleet) {
  std::map<std::string, std::map<std::string, std::set<std::size_t>>> settings;  // by value
  for (std::size_t i = 0; i < runs.size(); ++i) {
    for (const ContextDifference& setting : differences({}, runs[i].context)) {
      settings[setting.what][setting.now].insert(places[i]);
    }
  }
  const auto name_of = [&](std::size_t machine) { return fleet.machines[machine].name; };
  for (auto& [name, values] : settings) {
    std::set<std::size_t> without(places.begin(), places.end());
    for (const auto& [value, machines] : values) {
      for (const std::size_t machine : machines) without.erase(machine);
    }
    if (!without.empty()) values["nothing"] = without;
    const auto usual =
        std::ranges::max_element(values, {}, [](const auto& value) { return value.second.size(); });
    if (2 * usual->second.size() <= fleet.machines.size()) continue;
    for (const auto& [value, machines] : values) {
      if (value == usual->first) continue;
      fleet.settings.push_back({name, value, usual->first, transformed(machines, name_of)});
    }
  }
}

std::string verdict_of(const Fleet& fleet) {
  const std::string all = counted(fleet.machines.size(), "GPU");
  const std::string rule = fmt::format(
      "In at most {} of fleets without a difference a GPU would be named: {} of each GPU are "
      "judged together. Differences below {} are not named.",
      percent(fleet.false_alarms), counted(fleet.figures.size(), "figure"),
      percent(fleet.differs_from));
  if (fleet.machines.size() < 3) return fmt::format("{}: too few to say which one is odd.", all);
  if (fleet.odd.empty()) return fmt::format("{}: none differs from the others. {}", all, rule);
  const std::vector<std::string> names = transformed(fleet.odd, &OddMachine::machine);
  return fmt::format("{}: {} {} from the others: {}. {}", all, names.size(),
                     names.size() == 1 ? "differs" : "differ", shortened(names, 30), rule);
}

}  // namespace

Places machines_of(const std::vector<FleetRun>& runs, std::vector<FleetMachine>& machines) {
  Places places;
  std::map<std::string, std::size_t> by_uuid, by_name;
  for (const FleetRun& run : runs) {
    FleetMachine machine = machine_of(run);
    const std::string id = identity_of(machine);
    const auto known = by_uuid.find(id);
    if (!id.empty() && known != by_uuid.end()) {
      machines[known->second].files.push_back(run.file);
      places.push_back(known->second);
      continue;
    }
    if (by_name.contains(machine.name)) machine.name += fmt::format(" ({})", run.file);
    by_name[machine.name] = by_uuid[id] = machines.size();
    places.push_back(machines.size());
    machines.push_back(std::move(machine));
  }
  return places;
}

Fleet merged_fleet(const std::vector<FleetRun>& runs, std::vector<LeftOut> left_out,
                   const FleetRequest& request) {
  Fleet fleet{.false_alarms = request.false_alarms,
              .differs_from = request.differs_from,
              .left_out = std::move(left_out)};
  const Places places = machines_of(runs, fleet.machines);
  const Labels labels = shared_works(runs);
  for (const FleetRun& run : runs) note_left_out(run, labels, fleet.left_out);
  std::map<std::size_t, OddMachine> odd;
  find_odd_machines(figures_of(runs, places, labels), fleet, odd);
  for (auto& [machine, of] : odd) fleet.odd.push_back(std::move(of));
  std::ranges::stable_sort(fleet.odd, std::greater(), [](const OddMachine& machine) {
    return std::abs(std::log(machine.figures.front().ratio));
  });
  find_odd_settings(runs, places, fleet);
  for (const std::string& key : in_order(labels, runs)) {
    const double margin = fleet.differs_from;
    fleet.workloads.push_back(workload_of(key, labels.at(key), runs, places, margin));
  }
  fleet.verdict = verdict_of(fleet);
  return fleet;
}

}  // namespace trilane
