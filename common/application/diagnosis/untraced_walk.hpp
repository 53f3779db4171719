// Walks through an iteration's calls repeatedly, as the host would without a tracer.
#pragma once

#include <algorithm>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "common/application/diagnosis/traced_costs.hpp"
#include "common/application/iteration/order/call_traits.hpp"
#include "common/application/iteration/order/happens_before.hpp"
#include "common/application/iteration/records/application_recording.hpp"

namespace trilane {

/// The busy times of an engine, which runs one operation at a time in the order of readiness.
class CopyCalendar {
 public:
  /// Takes the engine for `length_us`, from the first time at or after `ready_us` at which it is
  /// free for that long. Returns that time.
  double take(double ready_us, double length_us) {
    const auto ends = [](const auto& span) { return span.second; };
    auto next = std::ranges::upper_bound(taken_, ready_us, {}, ends);
    for (; next != taken_.end() && next->first < ready_us + length_us; ++next) {
      ready_us = next->second;
    }
    taken_.insert(next, {ready_us, ready_us + length_us});
    return ready_us;
  }

 private:
  std::vector<std::pair<double, double>> taken_;  // by start; none overlap
};

class UntracedWalk {
 public:
  /// The times of a call and of its operation.
  struct Times {
    double begin_us = 0, returned_us = 0, start_us = 0, end_us = 0;
  };

  /// Every call needs own_us and call_us; `order` covers two repetitions. `tail_us` is the
  /// application's own time after the last call. For `gap_share` see TracedCosts.
  UntracedWalk(const ApplicationRecording& recording, const HappensBefore& order,
               const TracedCosts& costs, double tail_us, double gap_share);

  /// Walks until repetitions no longer differ.
  void settle();

  /// Returns the time between the starts of the last two repetitions.
  double period_us() const;
  /// Returns the last repetition's times, from its start.
  std::vector<Times> iteration() const;

 private:
  void repeat();
  void run(std::size_t call, Times& times);
  double ready_us(std::size_t call, double begin_us) const;
  double returned_us(std::size_t call, const Times& times) const;
  double ordered_us(std::size_t call) const;
  bool knows_what_it_waits_for(std::size_t call) const;
  double end_us(std::size_t place) const;
  double host_period_us() const;
  double device_period_us() const;
  bool is_timed(std::size_t call) const;
  bool is_alone_on_engine(RecordedEngine engine) const;

  const ApplicationRecording& recording_;
  const HappensBefore& order_;
  const TracedCosts& costs_;
  const std::vector<double> gaps_us_;  ///< the host's time before each call
  double tail_us_, gap_share_;
  double host_us_ = 0;
  std::vector<std::vector<Times>> repetitions_;
  std::vector<double> begun_us_;  // the repetitions
  std::map<RecordedEngine, CopyCalendar> engines_;
  /// Number of repetitions by which the host may be ahead of the device; absent: it never is.
  std::optional<std::size_t> ahead_;
};

}  // namespace trilane
