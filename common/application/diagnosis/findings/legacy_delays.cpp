#include "common/application/diagnosis/findings/legacy_delays.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "common/application/diagnosis/findings/data_conflicts.hpp"
#include "common/application/diagnosis/time/host_time.hpp"
#include "common/application/iteration/order/races.hpp"

namespace trilane {
namespace {

/// Checking this many pairs takes less than a second; the remaining pairs are skipped.
constexpr std::size_t most_legacy_pairs = 10'000'000;

class LegacyDelays {
 public:
  LegacyDelays(const ApplicationRecording& recording, const IterationSchedule& schedule,
               const HappensBefore& order)
      : recording_(recording),
        schedule_(schedule),
        order_(order),
        latency_us_(HostTime(recording, schedule).latency_us()),
        runs_(recording.calls.size()) {
    for (const OperationRun& run : schedule.runs()) runs_[run.call] = run;
  }

  /// Returns how much earlier the call's operation could start without the rule, at most.
  double of(std::size_t call) {
    const IssuedCall& issued = order_.at(calls() + call);
    if (!issued.legacy_order || !runs_[call]) return 0;
    const OperationRun& run = *runs_[call];
    double needed = run.issued_us + latency_us_, by_rule = -HUGE_VAL;
    for (const Predecessor& one : issued.after) {
      double& latest = one.by == OrderedBy::legacy ? by_rule : needed;
      latest = std::max(latest, end_at(one.place, run));
    }
    if (by_rule <= needed) return 0;
    return std::max(0.0, by_rule - std::max(needed, end_of_data(call, run)));
  }

 private:
  std::size_t calls() const { return recording_.calls.size(); }

  /// Returns the end of the last run of the operation at a place before `run` starts.
  double end_at(std::size_t place, const OperationRun& run) const {
    const bool before = place < calls();
    const auto& found = runs_[place % calls()];
    if (!found || (before && !schedule_.repeats())) return -HUGE_VAL;
    return std::min(run.start_us, found->end_us - (before ? schedule_.period_us() : 0));
  }

  /// Varying addresses may have differed in the previous iteration.
  bool conflicts(std::size_t place, std::size_t call) const {
    const RecordedCall &one = recording_.calls[place % calls()], &other = recording_.calls[call];
    const bool comparable = place >= calls() || (same_everywhere(one) && same_everywhere(other));
    return comparable && may_conflict(one, other);
  }

  /// Returns the end of the previous iteration's last operation after this one whose data it uses.
  double end_of_data(std::size_t call, const OperationRun& run) {
    double last = -HUGE_VAL;
    for (std::size_t place = calls() + call; --place > call;) {
      if (!is_operation(recording_.calls[place % calls()].kind)) continue;
      if (++pairs_ > most_legacy_pairs) return HUGE_VAL;
      if (conflicts(place, call)) last = std::max(last, end_at(place, run));
    }
    return last;
  }

  const ApplicationRecording& recording_;
  const IterationSchedule& schedule_;
  const HappensBefore& order_;
  double latency_us_;
  std::vector<std::optional<OperationRun>> runs_;  ///< by call
  std::size_t pairs_ = 0;
};

}  // namespace

void add_legacy_delays(const ApplicationRecording& recording, const IterationSchedule& schedule,
                       const HappensBefore& order, FindingGroups& groups) {
  if (recording.contexts > 1) return;  // each context has its own legacy stream
  LegacyDelays delays(recording, schedule, order);
  for (std::size_t i = 0; i < recording.calls.size(); ++i) {
    const double us = delays.of(i);
    if (us > 0) groups.add(FindingKind::legacy_wait, i, us, us);
  }
}

}  // namespace trilane
