// The same workloads with other host memory, or other waiting, side by side.
#pragma once

#include <span>
#include <string>

#include "common/results/results.hpp"

namespace trilane {

/// For each workload that stands there under more than one setting, a table of every variant under
/// each: submit and wall time, how much of the work overlaps (the stages one after the other over
/// the wall time: 1 is none), and the speed over the first setting, paired process by process.
/// Where long names leave no room for them, submit time and then overlap are left out. Empty where
/// there is one setting only. `simulated` as for table().
std::string settings_section(std::span<const Comparison> comparisons, const std::string& simulated);

}  // namespace trilane
