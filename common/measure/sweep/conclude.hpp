// Decides a cell: when its measuring ends, and what its result is.
#pragma once

#include <string>
#include <vector>

#include "common/measure/sweep/map/regime_map.hpp"

namespace trilane {

/// The purpose of measuring a cell.
enum class Aim {
  winner,  ///< the fastest variant, of each tier and of all
  curve,   ///< also the time of every variant
};

/// The stopping rule of a cell, called after every round.
class Race {
 public:
  explicit Race(Aim aim) : aim_(aim) {}

  /// Marks variants as `dropped` by their ratio to the leader of their tier:
  /// - after 3 rounds, those 1.5 times slower in every round, except the reference, which needs an
  ///   interval,
  /// - from 6 rounds on, those that are slower by `tie_margin` and has_lost(),
  /// - for a curve, only those whose own time is known to 1%.
  ///
  /// Returns "decided" if all of these hold, otherwise nothing:
  /// - all variants are dropped or within 2% of the leader of their tier,
  /// - the leaders are that close to the fastest, or have clearly lost to it,
  /// - for a curve, all times are known to 1%.
  std::string operator()(const Comparison& comparison, std::vector<bool>& dropped);

 private:
  bool settle(const Comparison& tier, std::vector<bool>& dropped) const;

  Aim aim_;
  std::uint32_t next_look_ = 3;
};

/// Writes the result of the comparison into the cell: winners, ties, gains, and variants left out
/// with the reason.
void conclude(const Comparison& comparison, Cell& cell);

/// Adds the measurements of another visit in fresh processes. Concludes from the rounds after the
/// first visit, and from the means of all visits after later ones. A variant that an earlier visit
/// left out stays left out.
void add_visit(Comparison visit, Cell& cell);

}  // namespace trilane
