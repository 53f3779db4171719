// Decides which variants get further turns in a cell, and when the cell is decided.
#pragma once

#include <string>
#include <vector>

#include "common/measure/sweep/map/regime_map.hpp"

namespace trilane {

/// What a cell is measured for.
enum class Aim {
  winner,  ///< which variant wins, in each tier and of all
  curve,   ///< that too, and the time of every variant
};

/// The rule of a cell. Asked after every round.
class Race {
 public:
  explicit Race(Aim aim) : aim_(aim) {}

  /// Marks variants as `dropped`, by what they lose to the leader of their tier: after 3 rounds
  /// those 1.5 times slower in every round (except for the reference, which needs an interval), and
  /// from 6 rounds on those that are slower by `tie_margin` and has_lost(). For a curve only those
  /// are dropped whose own time is known to 1%.
  ///
  /// Returns "decided" when all variants are dropped or within 2% of the leader of their tier,
  /// these leaders are that close or have clearly lost to the fastest and, for a curve, all times
  /// are known to 1%; otherwise nothing.
  std::string operator()(const Comparison& comparison, std::vector<bool>& dropped);

 private:
  bool settle(const Comparison& tier, std::vector<bool>& dropped) const;

  Aim aim_;
  std::uint32_t next_look_ = 3;
};

}  // namespace trilane
