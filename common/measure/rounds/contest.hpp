// Decides when a comparison's intervals are narrow enough, and when a variant has clearly lost.
#pragma once

#include "common/model/results/results.hpp"

namespace trilane {

/// A variant this much slower than the best of its tier needs no more precision.
inline constexpr double lost_by = 0.05;

/// A ratio this far from 1, either way, is conclusive with an interval three times as wide.
inline constexpr double far = 1.5, far_precision = 3;

/// Returns the ratio of rounds with an interval at least as wide as expected, because no variant
/// may be dropped when an interval is narrow by chance. Needs `fewest_rounds`.
Ratio cautious_ratio(std::span<const double> round_ratios);

/// Returns true if the interval lies beyond 1 + `margin` by more than its own width. The estimate
/// is then beyond by at least three half widths. The degrees of freedom of Student's t grow with
/// the rounds, which spends the error over the checks: at most 0.3% each at 6 and 9 rounds, 0.12%
/// at 13, 19 and 28, then ever less. In total, less than 1.3% of the variants that are exactly
/// `margin` slower are ever dropped. For the same reason the ratio of a dropped variant is hardly
/// biased: chance alone cannot carry it that far (tests/measure/harness/contest_test.cpp).
bool has_lost(const Ratio& ratio, double margin);

/// Returns the next round to check: half as many rounds later, as each check is a chance of error.
std::uint32_t next_look(std::uint32_t rounds);

/// The stopping rule of a comparison, called after every round.
class Contest {
 public:
  /// Ends the run when, after `min_rounds`, the half width of every interval that counts is at most
  /// `precision`, or three times that for a ratio that is `far` from 1.
  Contest(double precision, std::uint32_t min_rounds)
      : precision_(precision), min_rounds_(min_rounds) {}

  /// Returns "precision" when the expected and the actual interval of every variant over the
  /// reference are narrow enough; otherwise nothing. Variants that are so far slower than the best
  /// of their tier by more than `lost_by` are excepted. The captured graph of streams, and pools
  /// used like streams, are never excepted: a comparison answers questions by them.
  std::string operator()(const Comparison& comparison, std::vector<bool>&);

 private:
  bool narrow_enough(const Comparison& comparison) const;

  double precision_;
  std::uint32_t min_rounds_;
  std::uint32_t next_end_ = 0;  // rounds
};

}  // namespace trilane
