#include "common/application/diagnosis/call_findings.hpp"

#include <algorithm>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <utility>

#include "common/application/diagnosis/host_functions.hpp"
#include "common/application/iteration/call_places.hpp"
#include "common/base/text/words.hpp"
#include "common/explain/statistics/statistics.hpp"

namespace trilane {

namespace {

constexpr std::size_t most_calls = 5, most_places = 3;
constexpr std::uint64_t few_bytes = 64;

/// Returns the time between the end of what an operation follows and its start, if it was issued
/// before that end; otherwise 0.
double gap_before(const IterationSchedule& schedule, const OperationRun& run) {
  const auto before = schedule.last_before(run.call, schedule.repetition_of(run), run.start_us);
  if (!before || run.returned_us > before->end_us) return 0;
  return run.start_us - before->end_us;
}

/// Returns how long an iteration would take on the device if the host issued all calls in time and
/// never waited: the growth of its longest chain of operations from one repetition to the next.
double device_us_without_waits(const IterationSchedule& schedule) {
  constexpr std::size_t repetitions = 3;
  const ApplicationRecording& recording = schedule.recording();
  const std::size_t calls = recording.calls.size();
  std::vector<double> takes_us(calls), ends_us(repetitions * calls);
  for (const OperationRun& run : schedule.runs()) {
    takes_us[run.call] = run.end_us - run.start_us + gap_before(schedule, run);
  }
  const HappensBefore order(recording, schedule.repeats() ? repetitions : 1, HostWaits::ignored);
  std::vector<double> last_us;
  for (std::size_t place = 0; place < order.places(); ++place) {
    if (place % calls == 0) last_us.push_back(last_us.empty() ? 0 : last_us.back());
    for (const Predecessor& one : order.at(place).after) {
      ends_us[place] = std::max(ends_us[place], ends_us[one.place]);
    }
    ends_us[place] += takes_us[place % calls];
    last_us.back() = std::max(last_us.back(), ends_us[place]);
  }
  return last_us.size() == 1 ? last_us.back() : (last_us.back() - last_us.front()) / 2;
}

/// Upper bounds of what each kind of change can gain in this iteration.
class GainLimits {
 public:
  explicit GainLimits(const IterationSchedule& schedule) : period_us_(schedule.period_us()) {
    std::map<RecordedEngine, double> engines_us;
    double all_us = 0, longest_us = 0;
    for (const OperationRun& run : schedule.runs()) {
      const double us = run.end_us - run.start_us;
      double& engine_us = engines_us[schedule.engine(run.call)];
      engine_us += us;
      longest_us = std::max(longest_us, engine_us);
      all_us += us;
    }
    device_us_ = device_us_without_waits(schedule);
    overlap_us_ = all_us - longest_us;
  }

  double of(FindingKind kind) const {
    switch (kind) {
      case FindingKind::copy_could_overlap:
      case FindingKind::copy_needs_buffer: return std::min(period_us_, overlap_us_);
      case FindingKind::synchronization:
      case FindingKind::small_result:
      case FindingKind::allocation:
      case FindingKind::implicit_wait:
      case FindingKind::useless_stream_wait:
      case FindingKind::useless_synchronize:
      case FindingKind::host_function: return std::max(0.0, period_us_ - device_us_);
      case FindingKind::pageable_copy:
      case FindingKind::legacy_wait:
      case FindingKind::nothing_copied:
      case FindingKind::memset_overwritten:
      case FindingKind::other_threads: break;
    }
    return period_us_;
  }

  double device_us() const { return device_us_; }
  double least_us() const { return least_gain_share * period_us_; }

 private:
  double period_us_, device_us_ = 0, overlap_us_ = 0;
};

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

/// Returns true for a copy of so few bytes to the host that only their values can matter.
bool is_small_result(const RecordedCall& call, const ApplicationRecording& recording) {
  return engine_of(call, recording) == RecordedEngine::copy_out && call.bytes <= few_bytes &&
         call.bytes > 0;
}

/// Returns true if the last operation before the wait is such a copy, and the wait is for it.
bool waits_for_small_result(const IterationSchedule& schedule, std::size_t wait) {
  const ApplicationRecording& recording = schedule.recording();
  for (std::size_t i = wait; i-- > 0;) {
    if (!is_operation(recording.calls[i].kind)) continue;
    return is_small_result(recording.calls[i], recording) &&
           std::ranges::count(schedule.order_of(wait).after, recording.calls.size() + i,
                              &Predecessor::place) > 0;
  }
  return false;
}

void add_copy(const IterationSchedule& schedule, const PinnedRates& rates, std::size_t i,
              FindingGroups& groups) {
  const ApplicationRecording& recording = schedule.recording();
  const RecordedCall& call = recording.calls[i];
  if (is_small_result(call, recording) && host_wait_of(call, recording) == HostWait::itself) {
    groups.add(FindingKind::small_result, i);
  } else if (is_pageable(call, recording)) {
    CallFinding& finding = groups.add(FindingKind::pageable_copy, i);
    const auto pinned = rates.us_of(call, recording);
    if (pinned) finding.pinned_us = finding.pinned_us.value_or(0) + *pinned;
  } else if (host_wait_of(call, recording) != HostWait::nothing) {
    groups.add(FindingKind::implicit_wait, i, Obstacle::synchronous);
  }
}

void add_by_kind(const IterationSchedule& schedule, const std::vector<bool>& for_nothing,
                 const PinnedRates& rates, std::size_t i, FindingGroups& groups) {
  const ApplicationRecording& recording = schedule.recording();
  const RecordedCall& call = recording.calls[i];
  switch (role_of(call.kind)) {
    case CallRole::work: add_copy(schedule, rates, i, groups); break;
    case CallRole::synchronize_stream:
    case CallRole::synchronize_event:
    case CallRole::synchronize_context:
      if (!for_nothing[i]) {
        groups.add(waits_for_small_result(schedule, i) ? FindingKind::small_result
                                                       : FindingKind::synchronization,
                   i);
      }
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
    case CallRole::record_event:
    case CallRole::wait_event:
    case CallRole::graph_change:
    case CallRole::other: break;
  }
}

/// Returns true if only the bytes of the call matter. In the legacy stream a call keeps others
/// apart, and the host may wait in a synchronous call.
bool only_moves_bytes(const RecordedCall& call, const ApplicationRecording& recording) {
  return moves_bytes(call.kind) && !call.synchronous && call.refusal.empty() &&
         !in_legacy_stream(call, recording);
}

/// Returns true if only operations on the device can reach the memory, at the same address in every
/// iteration.
bool is_fixed_device_memory(const RecordedCall& set, const ApplicationRecording& recording) {
  const MemoryKind kind = recording.memory[set.uses.front().memory].kind;
  return set.pointers == Variation::constant && on_device(kind) && kind != MemoryKind::module;
}

bool overwrites(const RecordedCall& call, const UsedRange& set) {
  if (call.kind != CallKind::copy || copies_in(call) != 1) return false;
  if (call.pointers != Variation::constant) return false;
  const UsedRange &from = call.uses[0], &to = call.uses[1];
  const bool covers = to.memory == set.memory && to.offset <= set.offset &&
                      to.offset + to.bytes >= set.offset + set.bytes;
  return covers && to.bytes <= call.bytes && from.memory != set.memory;
}

/// Returns true if a call between a memset and the copy that overwrites it may use the set bytes.
bool may_read(const RecordedCall& call, const UsedRange& set) {
  switch (traits_of(call.kind).reach) {
    case MemoryReach::nothing: return false;
    case MemoryReach::anything: return true;
    case MemoryReach::ranges:
      return std::ranges::any_of(call.uses,
                                 [&](const UsedRange& used) { return overlap(used, set); });
  }
  return true;
}

/// Returns true if a copy ordered behind the memset writes all of its bytes before anything can use
/// one of them.
bool is_overwritten(const ApplicationRecording& recording, const HappensBefore& order,
                    std::size_t memset) {
  const RecordedCall& call = recording.calls[memset];
  if (call.uses.size() != 1 || !is_fixed_device_memory(call, recording)) return false;
  const UsedRange& set = call.uses.front();
  for (std::size_t i = memset + 1; i < recording.calls.size(); ++i) {
    if (overwrites(recording.calls[i], set)) return order.ordered(memset, i);
    if (may_read(recording.calls[i], set)) return false;
  }
  return false;
}

/// Adds waits for nothing, asynchronous copies and memsets of no bytes, and memsets of bytes that a
/// copy then overwrites. Does not add events that nothing waits for: the program may wait for them
/// after the loop, query them or take times from them. `for_nothing`: see waits_for_nothing().
void add_useless_calls(const IterationSchedule& schedule, const std::vector<bool>& for_nothing,
                       FindingGroups& groups) {
  const ApplicationRecording& recording = schedule.recording();
  const bool one_host = recording.found != Found::none && recording.threads == 1;
  for (std::size_t i = 0; i < recording.calls.size(); ++i) {
    const RecordedCall& call = recording.calls[i];
    if (call.kind == CallKind::wait_event && for_nothing[i]) {
      groups.add(FindingKind::useless_stream_wait, i);
    } else if (only_waits(call.kind) && for_nothing[i]) {
      groups.add(FindingKind::useless_synchronize, i);
    } else if (one_host && only_moves_bytes(call, recording)) {
      if (call.bytes == 0) groups.add(FindingKind::nothing_copied, i);
      const bool sets = call.kind == CallKind::memset && call.bytes > 0;
      if (sets && is_overwritten(recording, schedule.order(), i)) {
        const double us = call.device_us.value_or(call.host_us);
        groups.add(FindingKind::memset_overwritten, i, us, std::max(us, call.host_us));
      }
    }
  }
}

void add_host_functions(const IterationSchedule& schedule, FindingGroups& groups) {
  const std::vector<double> costs_us = host_function_costs_us(schedule);
  for (std::size_t i = 0; i < costs_us.size(); ++i) {
    const double call_us = schedule.recording().calls[i].host_us;
    if (costs_us[i] > 0) {
      groups.add(FindingKind::host_function, i, costs_us[i], costs_us[i] + call_us);
    }
  }
}

/// Drops copies that only the legacy stream keeps from overlapping, if a finding names its calls:
/// the remedy is the same.
void drop_same_remedy(std::vector<CallFinding>& findings) {
  const auto legacy = std::ranges::find(findings, FindingKind::legacy_wait, &CallFinding::kind);
  if (legacy == findings.end()) return;
  std::erase_if(findings, [](const CallFinding& one) {
    return one.obstacle == Obstacle::legacy && one.kind != FindingKind::legacy_wait;
  });
}

/// Returns how much shorter an iteration is while the other threads stand still, if that exceeds
/// the noise: three quarters of either times do not overlap.
std::optional<CallFinding> what_others_take(const ApplicationRecording& recording) {
  if (!recording.issuing || recording.issuing->alone_us.empty() || recording.watched_us.empty()) {
    return std::nullopt;
  }
  const std::vector<double>&beside_us = recording.watched_us,
        &alone_us = recording.issuing->alone_us;
  const double us = median(beside_us) - median(alone_us);
  const bool apart = quantile(beside_us, 0.25) > quantile(alone_us, 0.75);
  if (!apart || us < least_gain_share * median(beside_us)) return std::nullopt;
  return CallFinding{.kind = FindingKind::other_threads,
                     .name = counted(recording.issuing->others, "other thread"),
                     .count = recording.issuing->others,
                     .us = us,
                     .gain_us = us};
}

}  // namespace

std::string places_of(const ApplicationRecording& recording,
                      const std::vector<std::uint64_t>& calls) {
  std::set<std::string> known;
  std::vector<std::string> places;
  for (const std::uint64_t call : calls) {
    const std::string place = place_of(recording, call);
    if (known.insert(place).second) places.push_back(place);
  }
  return shortened(places, most_places);
}

CallFinding& FindingGroups::add(FindingKind kind, std::size_t call, double us, double gain_us,
                                Obstacle obstacle) {
  const RecordedCall& recorded = schedule_.recording().calls[call];
  const std::string name = function_of(recorded);
  CallFinding& finding = groups_[{kind, obstacle, name}];
  finding.kind = kind;
  finding.name = name;
  finding.obstacle = obstacle;
  ++finding.count;
  finding.bytes += recorded.bytes;
  finding.us += us;
  finding.gain_us += gain_us;
  finding.calls.push_back(call);
  return finding;
}

CallFinding& FindingGroups::add(FindingKind kind, std::size_t call, Obstacle obstacle) {
  const double us = schedule_.recording().calls[call].host_us;
  return add(kind, call, us, us, obstacle);
}

std::vector<CallFinding> FindingGroups::ranked() const {
  const GainLimits limits(schedule_);
  std::vector<CallFinding> findings;
  for (const auto& [key, group] : groups_) {
    CallFinding finding = group;
    finding.gain_us = std::min(finding.gain_us, limits.of(finding.kind));
    if (finding.kind == FindingKind::small_result && schedule_.has_device_times()) {
      finding.least_us = limits.device_us();
    }
    if (!(finding.gain_us > 0 && finding.gain_us >= limits.least_us())) continue;
    finding.place = places_of(schedule_.recording(), finding.calls);
    finding.calls.resize(std::min(finding.calls.size(), most_calls));
    findings.push_back(std::move(finding));
  }
  std::ranges::stable_sort(findings, std::greater{}, &CallFinding::gain_us);
  drop_same_remedy(findings);
  return findings;
}

std::vector<CallFinding> findings_in(const IterationSchedule& schedule) {
  const ApplicationRecording& recording = schedule.recording();
  FindingGroups groups(schedule);
  const PinnedRates rates(recording);
  const std::vector<bool> for_nothing = waits_for_nothing(recording);
  for (std::size_t i = 0; i < recording.calls.size(); ++i) {
    add_by_kind(schedule, for_nothing, rates, i, groups);
  }
  add_host_functions(schedule, groups);
  add_legacy_delays(schedule, groups);
  add_useless_calls(schedule, for_nothing, groups);
  add_copies_without_overlap(schedule, groups);
  std::vector<CallFinding> findings = groups.ranked();
  if (const auto threads = what_others_take(recording)) {
    const auto less = std::ranges::find_if(
        findings, [&](const CallFinding& one) { return one.gain_us < threads->gain_us; });
    findings.insert(less, *threads);
  }
  return findings;
}

}  // namespace trilane
