// The figures derived from a loop's turns.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "common/measure/loop/results/loop_results.hpp"

namespace trilane {

/// Times are microseconds. Medians are over the turns of all processes, quantiles over all items.
struct LoopFigures {
  double items_per_second = 0;          ///< by the mean time of an item
  double told_us = 0, told_p99_us = 0;  ///< from an item's end until the host knew
  /// From an item's end until the lane's next start; absent if every lane ran one item a turn.
  std::optional<double> restart_us, restart_p99_us;
  double idle = 0;            ///< the device's idle share, the median
  std::optional<double> cpu;  ///< busy processors of the process, the median
  double clock_error_us = 0;  ///< the largest of any turn
};

/// Returns the wall time of an item in each turn, by process and number of the turn.
std::vector<Sample> item_samples(std::span<const LoopTurn> turns);

/// Returns items per second, by the mean time of an item over processes (see pass_us()). There must
/// be at least one turn.
double rate_of(const std::vector<LoopTurn>& turns);

/// Returns the median over the turns of the processors that the process kept busy; absent if a turn
/// lacks it.
std::optional<double> cpu_of(const std::vector<LoopTurn>& turns);

/// Returns the figures of all turns together. Throws std::invalid_argument without any turn.
LoopFigures figures_of(const std::vector<LoopTurn>& turns);

}  // namespace trilane
