// Decides which variants of a comparison get further turns, and when its intervals suffice.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "common/results/results.hpp"

namespace trilane {

/// How much slower than the best of its tier a variant must be to be dropped.
inline constexpr double lost_by = 0.05;

/// A ratio this far from 1, either way, is an answer with an interval three times as wide.
inline constexpr double far = 1.5, far_precision = 3;

/// The ratio of rounds with an interval at least as wide as expected, because nobody may be dropped
/// when an interval is narrow by chance. Needs `fewest_rounds`.
Ratio cautious_ratio(std::span<const double> round_ratios);

/// Whether the interval lies beyond 1 + `margin` by more than its own width. So the estimate is
/// beyond by at least three half widths, and Student's t, whose degrees of freedom grow with the
/// rounds, spends the error over the looks: at most 0.3% each at 6 and 9 rounds, 0.12% at 13, 19
/// and 28, then less and less. In all, less than 1.3% of the variants that are exactly `margin`
/// slower are ever dropped. For the same reason the ratio of a dropped variant is hardly biased:
/// chance alone cannot carry it that far (tests/harness/contest_test.cpp).
bool has_lost(const Ratio& ratio, double margin);

/// When to look again after a look at `rounds`: half as many rounds later, since each look is one
/// more chance to err.
std::uint32_t next_look(std::uint32_t rounds);

/// The rule of a comparison. Asked after every round.
class Contest {
 public:
  /// Ends the run when, after `min_rounds`, the half width of every interval that counts is at most
  /// `precision`, or three times that for a ratio that is `far` from 1.
  Contest(double precision, std::uint32_t min_rounds)
      : precision_(precision), min_rounds_(min_rounds) {}

  /// From `fewest_rounds` on, marks variants as `dropped` that are slower than the best of their
  /// tier by `lost_by` and has_lost(). Never drops the reference, streams, its captured graph, and
  /// pools used like streams: their ratios are the questions that a comparison answers.
  ///
  /// Returns "precision" when the expected and the actual interval of every variant over the
  /// reference are narrow enough, except for those that are dropped or slower than the best of
  /// their tier by more than `lost_by` so far; otherwise nothing. Looks less and less often, but
  /// also `fewest_rounds` after dropped variants got turns again.
  std::string operator()(const Comparison& comparison, std::vector<bool>& dropped);

 private:
  void drop(const Comparison& comparison, std::vector<bool>& dropped) const;
  bool narrow_enough(const Comparison& comparison, const std::vector<bool>& dropped) const;

  double precision_;
  std::uint32_t min_rounds_;
  std::uint32_t next_drop_ = 0, next_end_ = 0;  // rounds
  std::ptrdiff_t dropped_ = 0;
};

}  // namespace trilane
