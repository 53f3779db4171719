#include "common/application/diagnosis/call_findings.hpp"

#include "common/application/diagnosis/traced_costs.hpp"
#include "common/application/iteration/call_traits.hpp"
#include "common/base/text/words.hpp"
#include "common/explain/statistics/statistics.hpp"

namespace trilane {

namespace {

constexpr std::size_t most_calls = 5, most_places = 3, most_functions = 2;
constexpr std::uint64_t few_bytes = 64;

/// Returns true for a copy of so few bytes to the host that only their values can matter.
bool is_small_result(const RecordedCall& call, const ApplicationRecording& recording) {
  return engine_of(call, recording) == RecordedEngine::copy_out && call.bytes <= few_bytes &&
         call.bytes > 0;
}

double whole_us(const RecordedCall& call) { return call.host_us + call.runtime_us.value_or(0); }

/// Upper bounds of what each kind of change can gain in this iteration.
class GainLimits {
 public:
  explicit GainLimits(const IterationSchedule& schedule)
      : period_us_(schedule.period_us()), device_us_(least_device_us(schedule)) {
    std::map<RecordedEngine, double> engines_us;
    double all_us = 0, longest_us = 0;
    for (const OperationRun& run : schedule.runs()) {
      const double us = run.end_us - run.start_us;
      double& engine_us = engines_us[schedule.engine(run.call)];
      engine_us += us;
      longest_us = std::max(longest_us, engine_us);
      all_us += us;
    }
    overlap_us_ = all_us - longest_us;
    const std::vector<double>& watched_us = schedule.recording().watched_us;
    if (!watched_us.empty()) period_us_ = std::min(period_us_, median(watched_us));
  }

  /// Returns the finding's gain within these bounds; absent if the GPU's times are not known.
  std::optional<double> gain_of(const CallFinding& finding) const {
    if (!device_us_) return std::nullopt;
    const double us = std::min(period_us_, *finding.gain_us);
    switch (finding.kind) {
      case FindingKind::copy_could_overlap:
      case FindingKind::copy_needs_buffer:
        return host_waits(finding.obstacle)
                   ? us
                   : std::min(us, overlap_us_ + std::max(0.0, *finding.gain_us - finding.us));
      case FindingKind::synchronization:
      case FindingKind::unjudged_wait:
      case FindingKind::small_result:
      case FindingKind::allocation:
      case FindingKind::implicit_wait:
      case FindingKind::useless_stream_wait:
      case FindingKind::useless_synchronize:
      case FindingKind::host_function:
      case FindingKind::pageable_copy: return std::clamp(period_us_ - *device_us_, 0.0, us);
      case FindingKind::legacy_wait:
      case FindingKind::legacy_event:
      case FindingKind::nothing_copied:
      case FindingKind::memset_overwritten:
      case FindingKind::copies_in_pieces:
      case FindingKind::kernels_apart:
      case FindingKind::other_threads: break;
    }
    return us;
  }

  double least_us() const { return least_gain_share * period_us_; }

 private:
  double period_us_, overlap_us_ = 0;
  std::optional<double> device_us_;
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

/// Returns true if the last operation before the wait is such a copy, and the wait is for it.
bool waits_for_small_result(const IterationSchedule& schedule, std::size_t wait) {
  const ApplicationRecording& recording = schedule.recording();
  for (std::size_t i = wait; i-- > 0;) {
    if (!is_operation(recording.calls[i].kind)) continue;
    return is_small_result(recording.calls[i], recording) &&
           includes(schedule.order_of(wait).after, recording.calls.size() + i, &Predecessor::place);
  }
  return false;
}

/// Returns true if the host waits behind an event that no stream waits for: it may read its time.
bool waits_for_times(const ApplicationRecording& recording, std::size_t wait) {
  const auto& calls = recording.calls;
  for (std::size_t i = wait; i-- > 0 && !only_waits(calls[i].kind);) {
    const bool recorded = calls[i].kind == CallKind::record_event;
    if (recorded && std::ranges::none_of(calls, [&](const RecordedCall& call) {
          return names_event(call.kind) && call.kind != CallKind::record_event &&
                 call.event == calls[i].event;
        })) {
      return true;
    }
  }
  return false;
}

/// Adds what a call costs that the host waits in. `for_nothing`: see waits_for_nothing().
void add_by_kind(const IterationSchedule& schedule, bool for_nothing, const PinnedRates& rates,
                 std::size_t i, FindingGroups& groups) {
  const ApplicationRecording& recording = schedule.recording();
  const RecordedCall& call = recording.calls[i];
  const bool waits = host_wait_of(call, recording) != HostWait::nothing;
  const bool results = call.kind == CallKind::copy ? is_small_result(call, recording) && waits
                                                   : waits_for_small_result(schedule, i);
  const double gain_us = gain_without_wait(schedule, i);
  if (allocates(call.kind) || frees(call.kind)) {
    groups.add(FindingKind::allocation, i, call.host_us,
               is_operation(call.kind)
                   ? whole_us(call) + gap_behind_us(schedule, i, schedule.latency_us())
                   : gain_us);
  } else if (for_nothing || (!waits && !is_pageable(call, recording))) {
    return;
  } else if (results) {
    groups.add(FindingKind::small_result, i, call.host_us, schedule.period_us());
  } else if (is_pageable(call, recording)) {
    CallFinding& finding = groups.add(FindingKind::pageable_copy, i, call.host_us, gain_us);
    const auto pinned = rates.us_of(call, recording);
    const bool all = pinned && (finding.count == 1 || finding.pinned_us);
    finding.pinned_us = all ? std::optional(finding.pinned_us.value_or(0) + *pinned) : std::nullopt;
  } else if (is_operation(call.kind)) {
    groups.add(FindingKind::implicit_wait, i, call.host_us, gain_us, Obstacle::synchronous);
  } else {
    groups.add(
        waits_for_times(recording, i) ? FindingKind::unjudged_wait : FindingKind::synchronization,
        i, call.host_us, gain_us);
  }
}

/// Returns true if only the bytes of the call matter. In the legacy stream a call keeps others
/// apart, and the host may wait in a synchronous call.
bool only_moves_bytes(const RecordedCall& call, const ApplicationRecording& recording) {
  return moves_bytes(call.kind) && !call.synchronous && call.refusal.empty() &&
         !in_legacy_stream(call, recording);
}

/// Returns true if only operations on the device can reach the memory, always at the same address.
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
  const MemoryReach reach = traits_of(call.kind).reach;
  const auto overlaps = [&](const UsedRange& used) { return overlap(used, set); };
  return reach == MemoryReach::anything ||
         (reach == MemoryReach::ranges &&
          (call.pointers != Variation::constant || std::ranges::any_of(call.uses, overlaps)));
}

/// Returns true if a later copy writes all of the memset's bytes before anything can use one.
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
  const bool same = repeats_exactly(recording);
  for (std::size_t i = 0; i < recording.calls.size(); ++i) {
    const RecordedCall& call = recording.calls[i];
    const double us = call.device_us.value_or(call.host_us);
    const auto gain_us = [&] { return whole_us(call) + gap_behind_us(schedule, i, 0); };
    if (call.kind == CallKind::wait_event && for_nothing[i]) {
      groups.add(FindingKind::useless_stream_wait, i, call.host_us, gain_us());
    } else if (only_waits(call.kind) && for_nothing[i]) {
      groups.add(FindingKind::useless_synchronize, i, call.host_us, whole_us(call));
    } else if (!same || !only_moves_bytes(call, recording)) {
      continue;
    } else if (call.bytes == 0) {
      groups.add(FindingKind::nothing_copied, i, call.host_us, us + gain_us());
    } else if (call.kind == CallKind::memset && is_overwritten(recording, schedule.order(), i)) {
      groups.add(FindingKind::memset_overwritten, i, us, us + gain_us());
    }
  }
}

/// Adds copies that one copy could make, by what all but the first of them cost.
void add_copies_in_pieces(const IterationSchedule& schedule, FindingGroups& groups) {
  const auto& calls = schedule.recording().calls;
  const auto goes_on = [&](std::size_t i) {
    return i > 0 && i < calls.size() && calls[i].adjoins.value_or(false) && !varies(calls[i]) &&
           !varies(calls[i - 1]);
  };
  for (std::size_t i = 0; i < calls.size(); ++i) {
    if (!goes_on(i) && !goes_on(i + 1)) continue;
    const double us = whole_us(calls[i]), device_us = calls[i].device_us.value_or(0);
    const double behind_us = gap_behind_us(schedule, i, schedule.latency_us());
    groups.add(FindingKind::copies_in_pieces, i, us, goes_on(i) ? us + device_us + behind_us : 0);
  }
}

void add_host_functions(const IterationSchedule& schedule, FindingGroups& groups) {
  const std::vector<double> costs_us = host_function_costs_us(schedule);
  for (std::size_t i = 0; i < costs_us.size(); ++i) {
    const double call_us = whole_us(schedule.recording().calls[i]);
    if (costs_us[i] > 0) {
      const double behind_us = std::max(costs_us[i], gap_behind_us(schedule, i, 0));
      groups.add(FindingKind::host_function, i, costs_us[i], behind_us + call_us);
    }
  }
}

double weight_of(const CallFinding& finding) { return finding.gain_us.value_or(finding.us); }

std::pair<bool, double> rank_of(const CallFinding& finding) {
  return {finding.kind != FindingKind::unjudged_wait, weight_of(finding)};
}

/// Returns the distinct places of the calls: "a.cu:7 f, a.cu:9 f, a.cu:12 f and 3 more".
std::string places_of(const ApplicationRecording& recording,
                      const std::vector<std::uint64_t>& calls) {
  std::vector<std::string> places;
  for (const std::uint64_t call : calls) {
    const std::string place = place_of(recording, call);
    if (!includes(places, place)) places.push_back(place);
  }
  return shortened(places, most_places);
}

/// Returns "cudaFree", or "cudaMalloc 2 times and cudaFree".
std::string functions_of(const ApplicationRecording& recording,
                         const std::vector<std::uint64_t>& calls) {
  std::vector<std::string> names, parts;
  for (const std::uint64_t call : calls) names.push_back(function_of(recording.calls[call]));
  std::set<std::string> known;
  for (const std::string& name : names) {
    if (!known.insert(name).second) continue;
    const auto times = std::ranges::count(names, name);
    parts.push_back(times > 1 ? fmt::format("{} {} times", name, times) : name);
  }
  return shortened(parts, most_functions);
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

std::optional<double> least_device_us(const IterationSchedule& schedule) {
  constexpr std::size_t repetitions = 3;
  const ApplicationRecording& recording = schedule.recording();
  if (any_call(recording, lacks_device_time)) return std::nullopt;
  const std::size_t calls = recording.calls.size();
  std::vector<double> takes_us(calls), ends_us(repetitions * calls);
  for (const OperationRun& run : schedule.runs()) {
    const RecordedCall& call = recording.calls[run.call];
    const bool needless = is_small_result(call, recording) || is_pageable(call, recording);
    if (!needless) takes_us[run.call] = run.end_us - run.start_us;
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

double gain_without_wait(const IterationSchedule& schedule, std::size_t call) {
  const RecordedCall& waiting = schedule.recording().calls[call];
  const double us = std::max(whole_us(waiting), waiting.device_us.value_or(0));
  const double returned_us = waiting.start_us + waiting.host_us;
  const std::size_t calls = schedule.recording().calls.size();
  for (std::size_t next = call + 1; next < (schedule.repeats() ? call + calls : calls); ++next) {
    const auto run = schedule.run_of(next % calls, next < calls ? 0 : 1);
    if (run && run->issued_us >= returned_us) return us + run->start_us - returned_us;
  }
  return us;
}

double gap_behind_us(const IterationSchedule& schedule, std::size_t call, double launch_us) {
  const auto& all = schedule.recording().calls;
  const auto distance = [&](const OperationRun& run) {
    return (run.call + all.size() - call - 1) % all.size();
  };
  const OperationRun* next = nullptr;  // in the stream
  double gap_us = 0;
  for (const OperationRun& run : schedule.runs()) {
    const auto call_before = [&](const Predecessor& one) { return one.place % all.size(); };
    if (includes(schedule.order_of(run.call).after, call, call_before))
      gap_us = std::max(gap_us, gap_before_us(schedule, run, launch_us));
    const bool in_stream = all[run.call].stream == all[call].stream;
    if (in_stream && (!next || distance(run) < distance(*next))) next = &run;
  }
  return next ? std::max(gap_us, gap_before_us(schedule, *next, launch_us)) : gap_us;
}

double gap_before_us(const IterationSchedule& schedule, const OperationRun& run, double launch_us) {
  const auto before = schedule.last_before(run.call, schedule.repetition_of(run), run.start_us);
  const double issued_us = run.issued_us + launch_us;
  return std::max(0.0, run.start_us - std::max(issued_us, before ? before->end_us : issued_us));
}

CallFinding& FindingGroups::add(FindingKind kind, std::size_t call, double us, double gain_us,
                                Obstacle obstacle) {
  CallFinding& finding = groups_[{kind, obstacle}];
  finding.kind = kind;
  finding.obstacle = obstacle;
  ++finding.count;
  finding.bytes += schedule_.recording().calls[call].bytes;
  finding.us += us;
  finding.gain_us = finding.gain_us.value_or(0) + gain_us;
  finding.calls.push_back(call);
  return finding;
}

std::vector<CallFinding> FindingGroups::ranked() const {
  const GainLimits limits(schedule_);
  std::vector<CallFinding> findings;
  for (const auto& [key, group] : groups_) {
    CallFinding finding = group;
    finding.gain_us = limits.gain_of(finding);
    if (!(weight_of(finding) > 0 && weight_of(finding) >= limits.least_us())) continue;
    finding.name = functions_of(schedule_.recording(), finding.calls);
    finding.place = places_of(schedule_.recording(), finding.calls);
    finding.calls.resize(std::min(finding.calls.size(), most_calls));
    findings.push_back(std::move(finding));
  }
  std::ranges::stable_sort(findings, std::greater{}, rank_of);
  const bool legacy_named = includes(findings, FindingKind::legacy_wait, &CallFinding::kind) ||
                            includes(findings, FindingKind::legacy_event, &CallFinding::kind);
  if (legacy_named) {  // copies that only the legacy stream holds up have the same remedy
    std::erase_if(findings, [](const auto& one) { return one.obstacle == Obstacle::legacy; });
  }
  return findings;
}

std::vector<CallFinding> findings_in(const IterationSchedule& schedule,
                                     const IterationSchedule& traced) {
  const ApplicationRecording& recording = schedule.recording();
  FindingGroups groups(schedule);
  const PinnedRates rates(recording);
  const std::vector<bool> for_nothing = waits_for_nothing(recording);
  for (std::size_t i = 0; i < recording.calls.size(); ++i) {
    add_by_kind(schedule, for_nothing[i], rates, i, groups);
  }
  add_copies_in_pieces(schedule, groups);
  add_host_functions(schedule, groups);
  add_legacy_delays(schedule, groups);
  add_useless_calls(schedule, for_nothing, groups);
  add_copies_without_overlap(schedule, groups);
  add_kernels_apart(traced, groups);
  std::vector<CallFinding> findings = groups.ranked();
  if (const auto threads = what_others_take(recording)) {
    findings.push_back(*threads);
    std::ranges::stable_sort(findings, std::greater{}, rank_of);
  }
  return findings;
}

}  // namespace trilane
