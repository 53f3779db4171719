#include "common/application/iteration/host_gaps.hpp"

#include <algorithm>
#include <numeric>

#include "common/explain/statistics/statistics.hpp"

namespace trilane {

namespace {

/// Returns the factor by which the host's time shrinks if only ends of iterations are watched.
/// Repetitions with timed calls are among the first, in which programs are slower, and callbacks
/// lengthen them.
double unheard_share(const ApplicationRecording& recording, const std::vector<double>& own) {
  const std::vector<RecordedCall>& calls = recording.calls;
  if (recording.watched_us.empty() || recording.iteration_us.empty()) return 1;
  const double watched_us = median(recording.watched_us);
  const double own_us = std::accumulate(own.begin(), own.end(), 0.0);
  if (std::ranges::any_of(calls, [](const auto& call) { return !call.own_us.has_value(); })) {
    const double added_us = median(recording.iteration_us) - watched_us;
    return own_us > 0 ? std::clamp(1 - added_us / own_us, 0.0, 1.0) : 1;
  }
  if (recording.threads > 1) return 1;  // whose calls may overlap
  const double whole_us =
      std::accumulate(calls.begin(), calls.end(), own_us, [](double sum, const auto& call) {
        return sum + call.call_us.value_or(call.host_us) + call.runtime_us.value_or(0);
      });
  return whole_us > watched_us ? watched_us / whole_us : 1;
}

std::vector<double> recorded_gaps(const ApplicationRecording& recording) {
  std::vector<double> gaps;
  double end_us = 0;
  for (const RecordedCall& call : recording.calls) {
    gaps.push_back(call.own_us.value_or(std::max(0.0, call.start_us - end_us)));
    end_us = std::max(end_us, call.start_us + call.host_us);
  }
  return gaps;
}

/// Returns these gaps, with or without the runtime's time, without the cost of listening.
std::vector<double> gaps_of(const ApplicationRecording& recording, bool with_runtime) {
  std::vector<double> gaps = recorded_gaps(recording);
  const double share = unheard_share(recording, gaps);
  for (std::size_t i = 0; i < gaps.size(); ++i) {
    if (with_runtime) gaps[i] += recording.calls[i].runtime_us.value_or(0);
    gaps[i] *= share;
  }
  return gaps;
}

}  // namespace

std::vector<double> own_gaps(const ApplicationRecording& recording) {
  return gaps_of(recording, false);
}

std::vector<double> host_gaps(const ApplicationRecording& recording) {
  return gaps_of(recording, true);
}

}  // namespace trilane
