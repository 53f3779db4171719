// Finds calls that cost time or do nothing, and groups similar ones.
#pragma once

#include <map>
#include <string>
#include <tuple>
#include <vector>

#include "common/application/diagnosis/time/iteration_schedule.hpp"
#include "common/application/iteration/order/happens_before.hpp"
#include "common/application/iteration/records/application_recording.hpp"
#include "common/application/iteration/records/finding.hpp"

namespace trilane {

/// Findings below this share of the iteration are left out.
inline constexpr double least_gain_share = 0.01;

class FindingGroups {
 public:
  explicit FindingGroups(const ApplicationRecording& recording) : recording_(recording) {}

  /// Adds a call to the finding of its function and returns that finding. `us`: time of the call or
  /// its operation; `gain_us`: the most that following the finding could gain for this call.
  CallFinding& add(FindingKind kind, std::size_t call, double us, double gain_us,
                   Obstacle obstacle = Obstacle::none);
  /// Does the same for the host's time in the call.
  CallFinding& add(FindingKind kind, std::size_t call, Obstacle obstacle = Obstacle::none);

  /// Returns the findings by possible gain, largest first, without those below `least_gain_share`.
  /// The schedule limits each gain:
  /// - on the host, to the period less the work of the busiest stream;
  /// - by overlap, to all work less that of the busiest engine.
  std::vector<CallFinding> ranked(const IterationSchedule& schedule) const;

 private:
  const ApplicationRecording& recording_;
  std::map<std::tuple<FindingKind, Obstacle, std::string>, CallFinding> groups_;
};

/// Returns the findings that could gain at least `least_gain_share` of the iteration; see
/// FindingGroups::ranked(). `order` covers two repetitions.
std::vector<CallFinding> findings_in(const ApplicationRecording& recording,
                                     const IterationSchedule& schedule, const HappensBefore& order);

}  // namespace trilane
