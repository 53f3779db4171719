// Measures alternatives in turn. Decides when intervals are narrow enough and variants have lost.
#pragma once

#include "common/model/results/results.hpp"
#include "common/model/workload/random.hpp"

namespace trilane {

/// The number and the order of rounds.
struct RoundSettings {
  double seconds = 0;        ///< measuring time
  std::uint32_t fewest = 1;  ///< rounds, regardless of the time
  std::uint32_t most = UINT32_MAX;
  std::uint64_t seed = 1;  ///< of the order

  /// Divides the rounds among processes that measure the same. Each keeps at least `least`.
  void share(std::uint32_t processes, std::uint32_t least);
};

/// Calls `take(i, counts)` for each of `count` alternatives once a round, in an order shuffled
/// again each round. The first round is a warm-up, which does not count. Later rounds run until the
/// time is up or `ended` returns true.
void in_rounds(
    std::size_t count, const RoundSettings& settings,
    const std::function<void(std::size_t, bool counts)>& take,
    const std::function<bool()>& ended = [] { return false; });

/// Runs the rounds of in_rounds() without a warm-up, by a clock in microseconds. Asks `ended`
/// before every turn, too. Returns the number of rounds.
std::uint32_t timed_rounds(std::size_t count, const RoundSettings& settings, Random& random,
                           const std::function<double()>& now,
                           const std::function<void(std::size_t)>& take,
                           const std::function<bool()>& ended);

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
