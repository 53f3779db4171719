#include "common/application/diagnosis/findings/copy_overlap.hpp"

#include <algorithm>
#include <cmath>

#include "common/application/diagnosis/findings/data_conflicts.hpp"
#include "common/application/iteration/order/call_traits.hpp"
#include "common/explain/analysis/trace/intervals.hpp"

namespace trilane {
namespace {

constexpr double little_overlap = 0.1;

/// Checking this many pairs of calls takes less than a second; the remaining pairs are skipped.
constexpr std::size_t most_pairs = 10'000'000;

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

  void look_at(const OperationRun& run, FindingGroups& groups) {
    const RecordedEngine engine = engine_of(call(run.call), recording_);
    if (engine != RecordedEngine::copy_in && engine != RecordedEngine::copy_out) return;
    if (call(run.call).kind != CallKind::copy || kernels_running_.all().empty()) return;
    const double us = run.end_us - run.start_us;
    const Intervals copy({{run.start_us, run.end_us}});
    const double overlapped_us = (copy & kernels_running_).length();
    if (overlapped_us > little_overlap * us) return;
    const auto beside = independent_kernels(run.call);
    if (pairs_ > most_pairs) return;
    const auto kind =
        beside.empty() ? FindingKind::copy_needs_buffer : FindingKind::copy_could_overlap;
    const Obstacle obstacle = obstacle_of(run.call, beside.empty() ? kernels_ : beside);
    if (obstacle == Obstacle::order && any_unordered(run.call, beside)) return;
    groups.add(kind, run.call, us, us - overlapped_us, obstacle);
  }

 private:
  using Calls = std::vector<const RecordedCall*>;

  const RecordedCall& call(std::size_t i) const { return recording_.calls[i]; }

  /// Returns the iteration's kernels that neither produce nor consume the copy's data, directly or
  /// through other operations. An unknown kernel may use any memory.
  Calls independent_kernels(std::size_t copy) {
    Calls independent;
    const std::size_t calls = recording_.calls.size();
    Calls before{&call(copy)}, after{&call(copy)};
    for (std::size_t i = copy; i-- > 0;) sort_in(call(i), before, independent);
    for (std::size_t i = copy + 1; i < calls; ++i) sort_in(call(i), after, independent);
    return independent;
  }

  void sort_in(const RecordedCall& one, Calls& dependent, Calls& independent) {
    if (!is_operation(one.kind) || pairs_ > most_pairs) return;
    pairs_ += dependent.size();
    const bool depends = std::ranges::any_of(
        dependent, [&](const RecordedCall* other) { return may_conflict(one, *other); });
    if (depends) {
      dependent.push_back(&one);
    } else if (one.kind == CallKind::kernel) {
      independent.push_back(&one);
    }
  }

  /// Returns true if nothing orders the copy and one of the kernels: the host only issued them too
  /// far apart to overlap.
  bool any_unordered(std::size_t copy, const Calls& kernels) const {
    const std::size_t second = recording_.calls.size();  // in the middle repetition
    return std::ranges::any_of(kernels, [&](const RecordedCall* kernel) {
      const auto place = static_cast<std::size_t>(kernel - recording_.calls.data());
      const auto [earlier, later] = std::minmax(copy, place);
      return !order_.ordered(second + earlier, second + later);
    });
  }

  Obstacle obstacle_of(std::size_t copy, const Calls& beside) const {
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
  std::size_t pairs_ = 0;
};

}  // namespace

void add_copies_without_overlap(const ApplicationRecording& recording,
                                const IterationSchedule& schedule, const HappensBefore& order,
                                FindingGroups& groups) {
  Copies copies(recording, schedule, order);
  std::vector<bool> seen(recording.calls.size());
  for (const OperationRun& run : schedule.steady_runs()) {
    if (run.start_us < 0 || seen[run.call]) continue;
    seen[run.call] = true;
    copies.look_at(run, groups);
  }
}

}  // namespace trilane
