// Computes times of calls and between them.
#include "common/application/finding/digest.hpp"
#include "common/explain/statistics/statistics.hpp"

namespace trilane {

namespace {

/// The cost of listening to the runtime's functions cannot be measured by calling them. It is at
/// least the cost for driver functions, and at most this many times that. In between, the shortest
/// time between two runtime functions decides.
constexpr double most_times_the_drivers = 2;

/// Medians over the untraced repetitions. Callbacks of the runtime's functions lengthen an
/// iteration. So times come from repetitions without them, and the application's share from others.
class OwnTimes {
 public:
  /// Both must outlive this object.
  OwnTimes(const CallStore& store, const Repetitions& repetitions)
      : store_(store),
        repetitions_(repetitions),
        costs_(repetitions.costs),
        runtime_cost_us_(std::clamp(least_outside_us(), costs_.between_us,
                                    most_times_the_drivers * costs_.between_us)) {}

  /// Sets the times of the iteration's `i`-th call, as far as they are known.
  void put(std::uint64_t i, RecordedCall& recorded) const {
    std::vector<double> gaps_us, lengths_us, outsides_us;
    for (const Repetition& repetition : repetitions_.all) {
      if (repetition.traced) continue;
      const ObservedCall call = store_.at(repetition.first + i);
      if (!repetition.runtime) {
        gaps_us.push_back(gap_us(repetition, i));
        lengths_us.push_back(length_us(call));
      } else if (call.before.outside_us) {
        outsides_us.push_back(outside_us(repetition.first + i));
      }
    }
    if (gaps_us.empty()) return;
    recorded.own_us = median(gaps_us);
    recorded.call_us = median(lengths_us);
    if (outsides_us.empty()) return;
    const double all_us = *recorded.own_us;
    recorded.own_us = std::min(all_us, median(outsides_us));
    recorded.runtime_us = all_us - *recorded.own_us;
  }

 private:
  double least_outside_us() const {
    double least = HUGE_VAL;
    for (const Repetition& repetition : repetitions_.all) {
      if (!repetition.runtime) continue;
      for (std::uint64_t i = 0; i < repetitions_.calls; ++i) {
        const ObservedCall call = store_.at(repetition.first + i);
        const bool tells = call.runtime != 0 && call.before.outside_us && call.before.outside == 1;
        if (tells) least = std::min(least, *call.before.outside_us);
      }
    }
    return least;
  }

  double gap_us(const Repetition& repetition, std::uint64_t i) const {
    const ObservedCall call = store_.at(repetition.first + i);
    const double from_us =
        i == 0 ? repetition.start_us : store_.at(repetition.first + i - 1).end_us;
    const double listening_us = call.before.listener_us + costs_.between_us +
                                call.before.others * (costs_.between_us + costs_.within_us);
    return std::max(0.0, call.begin_us - from_us - listening_us);
  }

  double length_us(const ObservedCall& call) const {
    const double listening_us =
        costs_.within_us + call.inside * (costs_.between_us + costs_.within_us);
    return std::max(0.0, call.end_us - call.begin_us - listening_us);
  }

  /// Returns true if only the application's own code ran before the call.
  bool is_all_outside(std::uint64_t number) const {
    const ObservedCall call = store_.at(number);
    if (call.runtime != 0 || call.before.outside != 1 || call.before.others > 0) return false;
    return number == store_.oldest() || store_.at(number - 1).runtime == 0;
  }

  double outside_us(std::uint64_t number) const {
    if (is_all_outside(number)) return std::numeric_limits<double>::max();
    const ObservedCall call = store_.at(number);
    const double cost_us = call.runtime == 0 ? costs_.between_us : runtime_cost_us_;
    return std::max(0.0, *call.before.outside_us - call.before.outside * cost_us);
  }

  const CallStore& store_;
  const Repetitions& repetitions_;
  const ListeningCosts costs_;
  /// CUPTI's cost between two functions of the runtime.
  const double runtime_cost_us_;
};

}  // namespace

void put_own_times(std::vector<RecordedCall>& calls, const CallStore& store,
                   const Repetitions& repetitions) {
  const OwnTimes times(store, repetitions);
  for (std::size_t i = 0; i < calls.size(); ++i) times.put(i, calls[i]);
}

void add_device_times(std::vector<RecordedCall>& calls, const Digest& digest,
                      const DeviceTimes& times) {
  std::vector<Digest::Traced> all = digest.traced;
  // A call that shares its number cannot be told from others.
  std::erase_if(all, [](const Digest::Traced& one) {
    const std::set numbers(one.correlations.begin(), one.correlations.end());
    return numbers.size() < one.correlations.size();
  });
  for (std::size_t i = 0; i < calls.size(); ++i) {
    std::vector<double> starts_us, lengths_us;
    for (const Digest::Traced& traced : all) {
      const auto time = times.find(traced.correlations[i]);
      if (time == times.end()) continue;
      starts_us.push_back(time->second.start_us - traced.start_us);
      lengths_us.push_back(std::max(0.0, time->second.end_us - time->second.start_us));
    }
    if (starts_us.empty()) continue;
    calls[i].device_start_us = median(starts_us);
    calls[i].device_us = median(lengths_us);
  }
}

}  // namespace trilane
