// Sets the variants of a comparison up again between rounds, so that intervals cover differences
// between set-ups.
#pragma once

#include <cstddef>
#include <set>
#include <span>

#include "common/measure/rounds/bench.hpp"
#include "common/measure/rounds/roster.hpp"

namespace trilane {

class Renewals {
 public:
  /// Takes at most `share` of the measuring time, on top of it.
  Renewals(Bench& bench, Roster& roster, double share)
      : bench_(bench), roster_(roster), share_(share) {}

  /// Records the total time of the first set-ups in microseconds.
  void first_took(double us) { latest_us_ = us; }

  /// Returns true if another renewal fits into the share of `used_us`.
  bool due(double used_us) const { return all_us_ + latest_us_ <= share_ * used_us; }

  /// Tears all of `order` down, then sets them up in that order, so that each gets other memory and
  /// streams than before. Keeps `live`, the variants that are set up, correct.
  void renew(std::span<const std::size_t> order, std::set<std::size_t>& live);

 private:
  Bench& bench_;
  Roster& roster_;
  double share_;
  double latest_us_ = 0, all_us_ = 0;
};

}  // namespace trilane
