// Finds calls that cost time or do nothing, and groups similar ones.
#pragma once

#include <map>
#include <string>
#include <tuple>
#include <vector>

#include "common/application/diagnosis/iteration_schedule.hpp"
#include "common/application/iteration/diagnosis.hpp"

namespace trilane {

/// Findings below this share of the iteration are left out.
inline constexpr double least_gain_share = 0.01;

/// Returns the distinct places of the calls: "a.cu:7 f, a.cu:9 f, a.cu:12 f and 3 more".
std::string places_of(const ApplicationRecording& recording,
                      const std::vector<std::uint64_t>& calls);

class FindingGroups {
 public:
  explicit FindingGroups(const IterationSchedule& schedule) : schedule_(schedule) {}

  /// Adds a call to the finding of its function and returns that finding. `us`: time of the call or
  /// its operation; `gain_us`: the most that following the finding could gain for this call.
  CallFinding& add(FindingKind kind, std::size_t call, double us, double gain_us,
                   Obstacle obstacle = Obstacle::none);
  /// Does the same for the host's time in the call.
  CallFinding& add(FindingKind kind, std::size_t call, Obstacle obstacle = Obstacle::none);

  /// Returns the findings by possible gain, largest first, without those below `least_gain_share`.
  /// The schedule limits each gain:
  /// - on the host, to the period less what the device would take without the host's waits;
  /// - by overlap, to all work less that of the busiest engine.
  std::vector<CallFinding> ranked() const;

 private:
  const IterationSchedule& schedule_;
  std::map<std::tuple<FindingKind, Obstacle, std::string>, CallFinding> groups_;
};

/// Returns the findings that could gain at least `least_gain_share` of the iteration; see
/// FindingGroups::ranked().
std::vector<CallFinding> findings_in(const IterationSchedule& schedule);

/// Adds the calls in the legacy stream by whose rule alone operations start late, behind operations
/// in other streams. Their time is this delay, beyond that by operations whose data are used. Needs
/// device times.
void add_legacy_delays(const IterationSchedule& schedule, FindingGroups& groups);

/// Adds the copies between host and device that kernels overlap for at most a tenth of their time,
/// and what prevents the overlap.
void add_copies_without_overlap(const IterationSchedule& schedule, FindingGroups& groups);

/// Returns for each call true if it is a wait, of a stream or the host, only for work that is
/// certain to be done.
/// - All work from before the recorded iteration counts as unfinished, and each event as recorded
///   at an unknown point.
/// - Only waits that the program asks for prove that work is done. Advice may remove other calls
///   that wait, and the legacy stream's rule too; the driver promises little about them.
/// - Returns false for all calls if there are several threads or contexts, if no iteration was
///   found, or if a later iteration had other calls.
std::vector<bool> waits_for_nothing(const ApplicationRecording& recording);

}  // namespace trilane
