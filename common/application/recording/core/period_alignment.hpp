// Where an iteration without a wait is cut.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <utility>

#include "common/application/recording/calls/call_store.hpp"
#include "common/application/recording/finding/iteration_finder.hpp"

namespace trilane {

/// An iteration without a wait may be cut anywhere. It is cut behind a call of the function that it
/// calls least, because from then on each call of that function costs the program time.
class PeriodAlignment {
 public:
  bool under_way() const { return period_.has_value(); }

  /// Cuts `period`, which ends with the latest call. Calls come until next() returns it.
  std::optional<FoundPeriod> begin(const FoundPeriod& period, const CallStore& calls) {
    std::map<std::uint32_t, std::uint64_t> counts;
    const std::uint64_t first = calls.size() - period.calls;
    for (std::uint64_t i = 0; i < period.calls; ++i) ++counts[calls.at(first + i).function];
    std::uint64_t best = period.calls - 1;
    const auto count = [&](std::uint64_t i) { return counts[calls.at(first + i).function]; };
    for (std::uint64_t i = period.calls - 1; i-- > 0;) {
      if (count(i) < count(best)) best = i;
    }
    left_ = (best + 1) % period.calls;
    period_ = period;
    period_->first += left_;
    return left_ == 0 ? std::exchange(period_, std::nullopt) : std::nullopt;
  }

  /// After the next call, whether it `repeats` what was there a period before.
  std::optional<FoundPeriod> next(bool repeats) {
    if (!repeats) period_ = std::nullopt;
    if (!period_ || --left_ > 0) return std::nullopt;
    return std::exchange(period_, std::nullopt);
  }

  std::uint64_t calls() const { return period_->calls; }

 private:
  std::optional<FoundPeriod> period_;
  std::uint64_t left_ = 0;  ///< calls until the cut
};

}  // namespace trilane
