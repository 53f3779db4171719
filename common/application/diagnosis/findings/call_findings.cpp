#include "common/application/diagnosis/findings/call_findings.hpp"

#include <map>
#include <optional>

#include "common/application/diagnosis/findings/copy_overlap.hpp"
#include "common/application/diagnosis/findings/legacy_delays.hpp"
#include "common/application/diagnosis/findings/proven_waits.hpp"
#include "common/application/diagnosis/findings/useless_calls.hpp"
#include "common/application/iteration/order/call_traits.hpp"

namespace trilane {
namespace {

/// Bandwidth of this recording's copies of memory that is not pageable, in bytes per microsecond.
class PinnedRates {
 public:
  explicit PinnedRates(const ApplicationRecording& recording) {
    for (const RecordedCall& call : recording.calls) {
      if (call.kind != CallKind::copy || !call.device_us || is_pageable(call, recording)) continue;
      auto& [bytes, us] = sums_[engine_of(call, recording)];
      bytes += static_cast<double>(call.bytes);
      us += *call.device_us;
    }
  }

  std::optional<double> us_of(const RecordedCall& call,
                              const ApplicationRecording& recording) const {
    const auto sum = sums_.find(engine_of(call, recording));
    if (sum == sums_.end() || !(sum->second.first > 0)) return std::nullopt;
    return static_cast<double>(call.bytes) * sum->second.second / sum->second.first;
  }

 private:
  std::map<RecordedEngine, std::pair<double, double>> sums_;
};

void add_copy(const ApplicationRecording& recording, const PinnedRates& rates, std::size_t i,
              FindingGroups& groups) {
  const RecordedCall& call = recording.calls[i];
  if (is_pageable(call, recording)) {
    CallFinding& finding = groups.add(FindingKind::pageable_copy, i);
    const auto pinned = rates.us_of(call, recording);
    if (pinned) finding.pinned_us = finding.pinned_us.value_or(0) + *pinned;
  } else if (host_wait_of(call, recording) != HostWait::nothing) {
    groups.add(FindingKind::implicit_wait, i, Obstacle::synchronous);
  }
}

void add_by_kind(const ApplicationRecording& recording, const std::vector<bool>& for_nothing,
                 const PinnedRates& rates, std::size_t i, FindingGroups& groups) {
  const RecordedCall& call = recording.calls[i];
  switch (role_of(call.kind)) {
    case CallRole::work: add_copy(recording, rates, i, groups); break;
    case CallRole::synchronization:
      if (!for_nothing[i]) groups.add(FindingKind::synchronization, i);
      break;
    case CallRole::query: groups.add(FindingKind::synchronization, i); break;
    case CallRole::allocation:
    case CallRole::release:
      if (host_wait_of(call, recording) != HostWait::nothing && !for_nothing[i]) {
        groups.add(FindingKind::implicit_wait, i);
      }
      groups.add(FindingKind::allocation, i);
      break;
    case CallRole::graph_launch:
    case CallRole::host_function:
    case CallRole::event:
    case CallRole::graph_change:
    case CallRole::other: break;
  }
}

}  // namespace

std::vector<CallFinding> findings_in(const ApplicationRecording& recording,
                                     const IterationSchedule& schedule,
                                     const HappensBefore& order) {
  FindingGroups groups(recording);
  const PinnedRates rates(recording);
  const std::vector<bool> for_nothing = waits_for_nothing(recording);
  for (std::size_t i = 0; i < recording.calls.size(); ++i) {
    add_by_kind(recording, for_nothing, rates, i, groups);
  }
  add_legacy_delays(recording, schedule, order, groups);
  add_useless_calls(recording, order, for_nothing, groups);
  add_copies_without_overlap(recording, schedule, order, groups);
  return groups.ranked(schedule);
}

}  // namespace trilane
