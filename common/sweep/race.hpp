// Who is still worth a turn in a cell, and when the cell is decided.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "common/sweep/map/regime_map.hpp"

namespace trilane {

/// A difference below this is no reason to choose: from one process to the next more changes.
inline constexpr double tie_margin = 0.01;

/// The fastest variant with its times, and how the others stand against it.
struct Standing {
  const Measurement* leader = nullptr;       ///< absent when no variant has times
  std::vector<std::optional<Ratio>> ratios;  ///< wall time over the leader's; by variant
};

/// Of the samples so far. Of a variant with fewer rounds than an interval needs, low and high are
/// the smallest and the largest ratio of a round.
Standing standing_of(const Comparison& comparison);

/// Asked by the harness after every round.
class Race {
 public:
  /// Sets those in `resting` that need no further turn: after 3 rounds who took more than 1.5
  /// times as long as the leader in each of them (the reference stays for an interval of its own),
  /// and from 6 on who is slower than the leader by 1% and by more than the interval's width.
  /// Returns whether nobody else needs a turn either: all have lost or are within 2% at most.
  /// Looks at growing distances, because many looks find an interval narrow by chance.
  bool decided(const Comparison& comparison, std::vector<bool>& resting);

 private:
  std::uint32_t next_look_ = 3;
};

/// Writes what the comparison found into the cell: winner, ties, gains, who was left out and why.
void conclude(const Comparison& comparison, Cell& cell);

}  // namespace trilane
