// Which variants still get turns in a cell, and when the cell is decided.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "common/sweep/map/regime_map.hpp"

namespace trilane {

/// A smaller difference is no reason to choose: processes differ by more than that.
inline constexpr double tie_margin = 0.01;

/// The fastest variant with its times, and how the others stand against it.
struct Standing {
  const Measurement* leader = nullptr;       ///< absent when no variant has times
  std::vector<std::optional<Ratio>> ratios;  ///< wall time over the leader's; by variant
};

/// By the samples so far. For a variant with fewer rounds than an interval needs, low and high are
/// the smallest and the largest ratio of a round.
Standing standing_of(const Comparison& comparison);

/// Asked by the harness after every round.
class Race {
 public:
  /// Sets in `resting` the variants that need no further turn: after 3 rounds those that took more
  /// than 1.5 times as long as the leader in each of them (the reference stays for its interval),
  /// and from 6 on those slower than the leader by 1% and by more than the interval's width.
  /// Returns whether no other needs a turn either: all have lost or are within 2% at most.
  /// Looks at growing distances, because many looks find an interval narrow by chance.
  bool decided(const Comparison& comparison, std::vector<bool>& resting);

 private:
  std::uint32_t next_look_ = 3;
};

/// Writes what the comparison found into the cell: winner, ties, gains, which were left out and
/// why.
void conclude(const Comparison& comparison, Cell& cell);

}  // namespace trilane
