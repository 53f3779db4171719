// Finds calls that cost time or do nothing, and groups similar ones.
#pragma once

#include "common/application/diagnosis/iteration_schedule.hpp"
#include "common/application/iteration/diagnosis.hpp"

namespace trilane {

/// Findings below this share of the iteration are left out.
inline constexpr double least_gain_share = 0.01;

class FindingGroups {
 public:
  explicit FindingGroups(const IterationSchedule& schedule) : schedule_(schedule) {}

  /// Adds a call to the finding of its kind and returns that finding. `us`: time of the call or its
  /// operation; `gain_us`: upper bound of what following the finding gains for this call.
  CallFinding& add(FindingKind kind, std::size_t call, double us, double gain_us,
                   Obstacle obstacle = Obstacle::none);

  /// Returns the findings by possible gain, largest first, without those below `least_gain_share`.
  /// The schedule limits each gain:
  /// - on the host, to the period less least_device_us(); unknown without it;
  /// - by overlap, to all work less that of the busiest engine, and the gaps around the copies.
  std::vector<CallFinding> ranked() const;

 private:
  const IterationSchedule& schedule_;
  std::map<std::pair<FindingKind, Obstacle>, CallFinding> groups_;
};

/// Returns how long an iteration takes on the device at least: the growth of its longest chain of
/// operations from one repetition to the next. Does not count gaps, copies of a few bytes, and of
/// pageable memory. Absent unless all operations have device times.
std::optional<double> least_device_us(const IterationSchedule& schedule);

/// Returns the most that an iteration gains without the wait: until the device has new work.
double gain_without_wait(const IterationSchedule& schedule, std::size_t call);

/// Returns how long the operation starts after what it follows and after its launch, at best.
double gap_before_us(const IterationSchedule& schedule, const OperationRun& run, double launch_us);

/// Returns the longest such time of what follows the call, or comes next in its stream.
double gap_behind_us(const IterationSchedule& schedule, std::size_t call, double launch_us);

/// Returns true if the obstacle is the host's wait in the call.
constexpr bool host_waits(Obstacle obstacle) {
  return obstacle == Obstacle::pageable || obstacle == Obstacle::synchronous;
}

/// Returns the findings of FindingGroups::ranked() that could gain at least `least_gain_share`.
/// `traced`: the schedule of the times as they were traced, which alone show what ran at once.
std::vector<CallFinding> findings_in(const IterationSchedule& schedule,
                                     const IterationSchedule& traced);

/// Adds the calls in the legacy stream whose rule alone makes operations start late. Their time is
/// this delay, beyond that by operations whose data are used. Needs device times.
void add_legacy_delays(const IterationSchedule& schedule, FindingGroups& groups);

/// Adds the copies that kernels overlap for at most a tenth of their time, and what prevents more.
void add_copies_without_overlap(const IterationSchedule& schedule, FindingGroups& groups);

/// Returns true if streams or events order the operations.
constexpr bool is_order(Obstacle obstacle) {
  return obstacle == Obstacle::same_stream || obstacle == Obstacle::order;
}

/// Adds the kernels that another kernel delays though neither needs the other's data, or though
/// nothing orders them, and what keeps them apart.
void add_kernels_apart(const IterationSchedule& traced, FindingGroups& groups);

/// Checking this many pairs of calls takes less than a second; the remaining pairs are skipped.
inline constexpr std::size_t most_pairs = 10'000'000;

/// Returns false only if the calls are known to use different bytes or only to read.
bool may_conflict(const RecordedCall& one, const RecordedCall& other);

/// Returns the wait for an event behind which the call's stream issues it; empty: there is none.
std::string wait_before(const ApplicationRecording& recording, std::size_t call);

/// Returns true if one thread and context make the same calls in each iteration.
bool repeats_exactly(const ApplicationRecording& recording);

/// Returns for each call true if it is a wait, of a stream or the host, only for work that is
/// certain to be done.
/// - All work from before the recorded iteration counts as unfinished, and each event as recorded
///   at an unknown point.
/// - Only waits that the program asks for prove that work is done. Advice may remove others.
/// - False for all calls unless repeats_exactly().
std::vector<bool> waits_for_nothing(const ApplicationRecording& recording);

}  // namespace trilane
