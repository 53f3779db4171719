// Decides where an iteration is cut, and how many repetitions make one because events rotate.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "common/application/finding/call_store.hpp"
#include "common/application/finding/digest.hpp"
#include "common/application/finding/iteration_finder.hpp"
#include "common/application/iteration/call_kinds.hpp"

namespace trilane {

struct EventRotation {
  /// Numbers of the iteration's calls, from 0, that wait for an event recorded in an earlier
  /// iteration.
  std::vector<std::uint64_t> lagging;
  /// Iterations after which each call names the same event again. 1: in each iteration; 0: not
  /// within half of the repetitions.
  std::uint64_t period = 1;
};

/// Returns how an iteration's events rotate. Without a lagging call the period is 1, since a call
/// then waits for the same record whatever the event's name.
EventRotation rotation_of(const CallStore& store, const Repetitions& repetitions);

/// Returns the same repetitions, with `period` of them joined to one. The earliest may be left out.
Repetitions joined(const Repetitions& repetitions, std::uint64_t period);

/// Cuts the iteration that a period repeats.
/// - One that waits is cut after its last wait and the frees that follow it, so that it frees its
///   own allocations.
/// - One without a wait may be cut anywhere. It is cut after a call of its least frequent function,
///   because each call of that function will cost the program time from then on.
class PeriodAlignment {
 public:
  bool under_way() const { return period_.has_value(); }

  /// Cuts `period`, which ends with the latest call. If nothing is returned, next() will return it.
  std::optional<FoundPeriod> begin(const FoundPeriod& period, const CallStore& calls) {
    const std::uint64_t first = calls.size() - period.calls;
    left_ = period.waits ? frees_at(first, period.calls, calls)
                         : behind_rarest(first, period.calls, calls);
    period_ = period;
    period_->first += left_;
    return left_ == 0 ? std::exchange(period_, std::nullopt) : std::nullopt;
  }

  /// Must be called after each call. `repeats`: it equals the call one period before.
  std::optional<FoundPeriod> next(bool repeats) {
    if (!repeats) period_ = std::nullopt;
    if (!period_ || --left_ > 0) return std::nullopt;
    return std::exchange(period_, std::nullopt);
  }

  std::uint64_t calls() const { return period_->calls; }

 private:
  static std::uint64_t frees_at(std::uint64_t first, std::uint64_t count, const CallStore& calls) {
    std::uint64_t freed = 0;
    while (freed + 1 < count && frees(calls.at(first + freed).kind)) ++freed;
    return freed;
  }

  static std::uint64_t behind_rarest(std::uint64_t first, std::uint64_t number,
                                     const CallStore& calls) {
    std::map<std::uint32_t, std::uint64_t> counts;
    for (std::uint64_t i = 0; i < number; ++i) ++counts[calls.at(first + i).function];
    std::uint64_t best = number - 1;
    const auto count = [&](std::uint64_t i) { return counts[calls.at(first + i).function]; };
    for (std::uint64_t i = number - 1; i-- > 0;) {
      if (count(i) < count(best)) best = i;
    }
    return (best + 1) % number;
  }

  std::optional<FoundPeriod> period_;
  std::uint64_t left_ = 0;  ///< calls until the cut
};

}  // namespace trilane
