#include "common/application/diagnosis/findings/copy_overlap.hpp"

#include <algorithm>
#include <cmath>

#include "common/analysis/trace/intervals.hpp"
#include "common/application/diagnosis/calls/call_traits.hpp"

namespace trilane {
namespace {

constexpr double little_overlap = 0.1;

bool overlap(const UsedRange& one, const UsedRange& two) {
  return one.memory == two.memory && one.offset < two.offset + two.bytes &&
         two.offset < one.offset + one.bytes;
}

class Copies {
 public:
  Copies(const ApplicationRecording& recording, const IterationSchedule& schedule,
         const HappensBefore& order)
      : recording_(recording), order_(order) {
    std::vector<Intervals::Interval> running;
    for (const OperationRun& run : schedule.steady_runs()) {
      if (call(run.call).kind == CallKind::kernel) running.emplace_back(run.start_us, run.end_us);
    }
    kernels_running_ = Intervals(std::move(running));
    for (const RecordedCall& one : recording.calls) {
      if (one.kind == CallKind::kernel) kernels_.push_back(&one);
    }
  }

  void look_at(const OperationRun& run, FindingGroups& groups) const {
    const RecordedEngine engine = engine_of(call(run.call), recording_);
    if (engine != RecordedEngine::copy_in && engine != RecordedEngine::copy_out) return;
    if (call(run.call).kind != CallKind::copy || kernels_running_.all().empty()) return;
    const double us = run.end_us - run.start_us;
    const Intervals copy({{run.start_us, run.end_us}});
    if ((copy & kernels_running_).length() > little_overlap * us) return;
    const auto beside = independent_kernels(call(run.call));
    const auto kind =
        beside.empty() ? FindingKind::copy_needs_buffer : FindingKind::copy_could_overlap;
    groups.add(kind, run.call, us, obstacle(run.call, beside.empty() ? kernels_ : beside));
  }

 private:
  using Calls = std::vector<const RecordedCall*>;

  const RecordedCall& call(std::size_t i) const { return recording_.calls[i]; }

  /// Kernels whose arguments point to other memory. A kernel about which nothing is known may use
  /// any memory.
  Calls independent_kernels(const RecordedCall& copy) const {
    Calls independent;
    std::ranges::copy_if(kernels_, std::back_inserter(independent), [&](const RecordedCall* one) {
      return !one->uses.empty() && std::ranges::none_of(one->uses, [&](const UsedRange& used) {
        return std::ranges::any_of(copy.uses, [&](const auto& c) { return overlap(c, used); });
      });
    });
    return independent;
  }

  Obstacle obstacle(std::size_t copy, const Calls& beside) const {
    const RecordedCall& one = call(copy);
    if (is_pageable(one, recording_)) return Obstacle::pageable;
    if (one.synchronous) return Obstacle::synchronous;
    const auto in_its_stream = [&](const RecordedCall* k) { return k->stream == one.stream; };
    if (std::ranges::all_of(beside, in_its_stream)) return Obstacle::same_stream;
    const auto in_legacy = [&](const RecordedCall* k) { return is_legacy(k->stream); };
    const bool by_rule =
        is_legacy(one.stream) || order_.at(recording_.calls.size() + copy).legacy_order;
    return by_rule || std::ranges::all_of(beside, in_legacy) ? Obstacle::legacy : Obstacle::order;
  }

  bool is_legacy(std::uint32_t stream) const {
    return recording_.streams[stream].kind == StreamKind::legacy;
  }

  const ApplicationRecording& recording_;
  const HappensBefore& order_;
  Intervals kernels_running_;
  Calls kernels_;
};

}  // namespace

void add_copies_without_overlap(const ApplicationRecording& recording,
                                const IterationSchedule& schedule, const HappensBefore& order,
                                FindingGroups& groups) {
  const Copies copies(recording, schedule, order);
  std::vector<bool> seen(recording.calls.size());
  for (const OperationRun& run : schedule.steady_runs()) {
    if (run.start_us < 0 || seen[run.call]) continue;
    seen[run.call] = true;
    copies.look_at(run, groups);
  }
}

}  // namespace trilane
