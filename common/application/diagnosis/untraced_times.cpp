#include "common/application/diagnosis/untraced_times.hpp"

#include <algorithm>
#include <cmath>

#include "common/application/diagnosis/time/iteration_schedule.hpp"
#include "common/application/diagnosis/traced_costs.hpp"
#include "common/application/diagnosis/untraced_walk.hpp"
#include "common/explain/statistics/statistics.hpp"

namespace trilane {
namespace {

/// The share by which the reconstructed time may differ from the measured one.
constexpr double most_off = 0.2;
/// If it is shorter by more than this, engines may take longer to follow each other.
constexpr double short_by = 0.05;
constexpr int bisections = 10;

bool has_own_times(const ApplicationRecording& recording) {
  return recording.threads == 1 && std::ranges::all_of(recording.calls, [](const auto& call) {
           return call.own_us && call.call_us;
         });
}

/// Returns the time after the last call: 0 unless a range is the iteration. A repeating iteration
/// ends with its last call, a range may go on after it.
double tail_us(const ApplicationRecording& recording, const IterationSchedule& traced) {
  if (recording.found != Found::range) return 0;
  const RecordedCall& last = recording.calls.back();
  return std::max(0.0, traced.period_us() - last.start_us - last.host_us);
}

class Reconstructor {
 public:
  Reconstructor(const ApplicationRecording& recording, const IterationSchedule& traced,
                const HappensBefore& order)
      : recording_(recording),
        order_(order),
        costs_(recording, traced, order),
        tail_us_(tail_us(recording, traced)) {}

  UntracedWalk walk(double gap_share) const {
    UntracedWalk walk(recording_, order_, costs_, tail_us_, gap_share);
    walk.settle();
    return walk;
  }

  /// Returns the share of the gaps' range at which an iteration takes that time, or comes nearest
  /// to it.
  double share_for(double wanted_us) const {
    double low = 0, high = 1;
    if (walk(high).period_us() <= wanted_us) return high;
    for (int i = 0; i < bisections; ++i) {
      const double half = (low + high) / 2;
      (walk(half).period_us() <= wanted_us ? low : high) = half;
    }
    return low;
  }

 private:
  const ApplicationRecording& recording_;
  const HappensBefore& order_;
  TracedCosts costs_;
  double tail_us_;
};

void put(const UntracedWalk& walk, ApplicationRecording& recording) {
  const auto times = walk.iteration();
  for (std::size_t i = 0; i < times.size(); ++i) {
    RecordedCall& call = recording.calls[i];
    call.start_us = times[i].begin_us;
    call.host_us = times[i].returned_us - times[i].begin_us;
    if (call.device_start_us && call.device_us) call.device_start_us = times[i].start_us;
  }
  recording.iteration_us = {walk.period_us()};
}

}  // namespace

UntracedTimes untraced_times(const ApplicationRecording& recording, const HappensBefore& order) {
  UntracedTimes times{recording, {}};
  const IterationSchedule traced(recording);
  if (!traced.repeats() || !traced.has_device_times() || recording.watched_us.empty()) return times;
  const double watched = median(recording.watched_us);
  Reconstruction& found = times.reconstruction.emplace();
  found.watched_us = watched;
  found.traced_us = traced.period_us();
  if (!has_own_times(recording)) return times;
  const Reconstructor reconstructor(recording, traced, order);
  const double least = reconstructor.walk(0).period_us();
  const bool is_short = least < (1 - short_by) * watched;
  const UntracedWalk walk = reconstructor.walk(is_short ? reconstructor.share_for(watched) : 0);
  found.period_us = walk.period_us();
  found.fitted = walk.period_us() > least;
  found.used = std::abs(walk.period_us() - watched) <= most_off * watched;
  if (found.used) put(walk, times.recording);
  return times;
}

}  // namespace trilane
