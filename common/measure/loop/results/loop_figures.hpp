// What a loop's turns amount to.
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
  /// From an item's end until the lane's next start; absent where every lane ran one item a turn.
  std::optional<double> restart_us, restart_p99_us;
  double idle = 0;            ///< the device's idle share, the median
  std::optional<double> cpu;  ///< processors that the process kept busy, the median
  double clock_error_us = 0;  ///< the largest of any turn
};

/// The wall time of an item in each turn, by process and number of the turn.
std::vector<Sample> item_samples(std::span<const LoopTurn> turns);

/// Items per second, by the mean time of an item over processes (pass_us() in turns.hpp), in turns
/// of which there is at least one.
double rate_of(const std::vector<LoopTurn>& turns);

/// Processors that the process kept busy, the median of the turns; absent where a turn lacks it.
std::optional<double> cpu_of(const std::vector<LoopTurn>& turns);

/// The figures of all turns together. Throws std::invalid_argument without any turn.
LoopFigures figures_of(const std::vector<LoopTurn>& turns);

}  // namespace trilane
