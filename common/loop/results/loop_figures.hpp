// What a loop's turns amount to.
#pragma once

#include <optional>

#include "common/loop/results/loop_results.hpp"

namespace trilane {

/// Times are microseconds. Medians are over turns, quantiles over all items.
struct LoopFigures {
  double items_per_second = 0;          ///< the median
  double told_us = 0, told_p99_us = 0;  ///< from an item's end until the host knew
  /// From an item's end until the lane's next start; absent where every lane ran one item a turn.
  std::optional<double> restart_us, restart_p99_us;
  double idle = 0;            ///< the device's idle share, the median
  std::optional<double> cpu;  ///< processors that the process kept busy, the median
  double clock_error_us = 0;  ///< the largest of any turn
};

/// Items per second.
double rate_of(const LoopTurn& turn);

/// The median of the turns, of which there is at least one.
double rate_of(const std::vector<LoopTurn>& turns);

/// Processors that the process kept busy, the median of the turns; absent where a turn lacks it.
std::optional<double> cpu_of(const std::vector<LoopTurn>& turns);

/// The figures of all turns together. Throws std::invalid_argument without any turn.
LoopFigures figures_of(const std::vector<LoopTurn>& turns);

}  // namespace trilane
