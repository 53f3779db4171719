// Compares the same workload under different host memory or ways of waiting.
#pragma once

#include <span>
#include <string>

#include "common/results/results.hpp"

namespace trilane {

/// For each workload with several settings, a table of every variant under each: submit and wall
/// time, overlap (time of all stages in turn over wall time; 1 means none), and the speed over the
/// first setting, paired by process. If long names leave no room, submit and then overlap are
/// dropped. Empty with one setting. `simulated` as for table().
std::string settings_section(std::span<const Comparison> comparisons, const std::string& simulated);

}  // namespace trilane
