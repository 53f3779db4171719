// Decides which variants get further turns in a cell, and when the cell is decided.
#pragma once

#include <vector>

#include "common/sweep/map/regime_map.hpp"

namespace trilane {

/// Smaller differences do not count, because differences between processes are larger.
inline constexpr double tie_margin = 0.01;

/// Called by the harness after every round.
class Race {
 public:
  /// Marks variants as `resting`: after 3 rounds those 1.5 times slower than the leader in every
  /// round (except for the reference, which needs an interval), and from 6 rounds on those slower
  /// than the leader by 1% and by more than the width of the interval. Returns whether the cell is
  /// decided: all variants rest or are within 2% of the leader. Looks less and less often, because
  /// with many looks an interval is narrow by chance.
  bool decided(const Comparison& comparison, std::vector<bool>& resting);

 private:
  std::uint32_t next_look_ = 3;
};

/// Writes the result of the comparison into the cell: winner, ties, gains, and variants left out
/// and why.
void conclude(const Comparison& comparison, Cell& cell);

}  // namespace trilane
