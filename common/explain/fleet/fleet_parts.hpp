// The parts of merged_fleet().
#pragma once

#include "common/explain/fleet/fleet.hpp"

namespace trilane {

/// Returns the mean of independent values, at least one, with the fewest degrees of freedom.
LogMean averaged(const std::vector<LogMean>& values);

/// The machine of each run, an index in Fleet::machines.
using Places = std::vector<std::size_t>;

/// Returns the verdict over machines on one work. Gains below the share `margin` do not count.
FleetWorkload workload_of(const std::string& key, const std::string& label,
                          const std::vector<FleetRun>& runs, const Places& places, double margin);

/// Adds the recorded settings in which machines differ from more than half of all.
void find_odd_settings(const std::vector<FleetRun>& runs, const Places& places, Fleet& fleet);

/// Adds to machines that differ, by index, the state after their run if it is not the commonest.
void add_states(const std::vector<FleetRun>& runs, const Places& places,
                std::map<std::size_t, OddMachine>& odd);

}  // namespace trilane
