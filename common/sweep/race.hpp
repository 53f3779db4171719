// Decides which variants get further turns in a cell, and when the cell is decided.
#pragma once

#include <string>
#include <vector>

#include "common/sweep/map/regime_map.hpp"

namespace trilane {

/// Smaller differences do not count, because differences between processes are larger.
inline constexpr double tie_margin = 0.01;

/// The rule of a cell. Asked after every round.
class Race {
 public:
  /// Marks variants as `dropped`: after 3 rounds those 1.5 times slower than the leader in every
  /// round (except for the reference, which needs an interval), and from 6 rounds on those that are
  /// slower than the leader by `tie_margin` and has_lost(). Returns "decided" when all variants are
  /// dropped or within 2% of the leader, otherwise nothing.
  std::string operator()(const Comparison& comparison, std::vector<bool>& dropped);

 private:
  std::uint32_t next_look_ = 3;
};

/// Writes the result of the comparison into the cell: winner, ties, gains, and variants left out
/// and why.
void conclude(const Comparison& comparison, Cell& cell);

}  // namespace trilane
