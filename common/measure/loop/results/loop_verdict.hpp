// Which way to be told, and to restart a lane, gets the most done, and which of those that leave
// the processors free.
#pragma once

#include <optional>
#include <vector>

#include "common/measure/loop/results/loop_figures.hpp"

namespace trilane {

/// A contender that uses fewer processors than this leaves them to other work. One thread that
/// polls uses 1.
inline constexpr double cheap_cpu = 0.5;

/// The items per second of `m` over those of `base`, as variant_ratio() of their turns gives it,
/// with a 95% interval over processes, or over the turns of one. Both must have turns.
Ratio rate_ratio(const LoopMeasurement& m, const LoopMeasurement& base);

/// Whether a ratio of rates is a loss of at least 1%, and its interval says so. Other contenders
/// show no difference.
bool is_loss(const Ratio& rate);

/// A contender as the best of several.
struct LoopPick {
  const LoopMeasurement* contender = nullptr;
  const LoopMeasurement* fastest = nullptr;    ///< of these
  std::vector<const LoopMeasurement*> tied;    ///< others that show no difference to the fastest
  const LoopMeasurement* runner_up = nullptr;  ///< the fastest with a loss; null without any
};

/// Points into the comparison.
struct LoopVerdict {
  LoopPick best;
  std::optional<LoopPick> cheap;  ///< the best of those below `cheap_cpu`
  bool decided = true;            ///< whether there were enough rounds for intervals
};

/// The contenders that are ok and have turns, in the comparison's order.
std::vector<const LoopMeasurement*> measured_contenders(const LoopComparison& comparison);

/// Among those that show no difference to the fastest, those with the least processor time win, to
/// within a tenth of a processor, and of these the first: they are listed from plain to elaborate.
/// Nothing without a contender that was measured.
std::optional<LoopVerdict> verdict_of(const LoopComparison& comparison);

}  // namespace trilane
