#include <algorithm>
#include <optional>

#include "common/application/iteration/order/call_segments.hpp"
#include "common/application/iteration/order/call_traits.hpp"
#include "common/application/iteration/order/races.hpp"
#include "common/application/replay/candidates/candidates.hpp"
#include "common/application/replay/iteration/application_pools.hpp"

namespace trilane {

namespace {

std::string why_no_pool(const TakenIteration& taken) {
  const auto allocates = [&](CallKind kind) {
    return any_call(taken.recording, [=](const RecordedCall& call) { return call.kind == kind; });
  };
  if (allocates(CallKind::allocate)) {
    if (taken.recording.streams.size() <= 1) return {};
    return "the iteration uses several streams, and which of them frees the memory is not known";
  }
  if (!allocates(CallKind::allocate_async)) return "no device memory is allocated in the iteration";
  const bool kept = std::ranges::all_of(taken.observed.calls, [](const ObservedCall& call) {
    return call.kind != CallKind::allocate_async ||
           keeps_its_memory(pool_behind(reinterpret_cast<CUmemoryPool>(call.pool)));
  });
  return kept ? "its pool already keeps its memory" : "";
}

/// Returns the pairs of operations that race for the iteration's own allocations; nothing if not
/// all were examined.
std::optional<std::uint64_t> races_for_new_memory(const ApplicationRecording& recording) {
  const Races races = races_in(recording, HappensBefore(recording, 2));
  if (races.cut) return std::nullopt;
  std::uint64_t count = 0;
  for (const RecordedRace& race : races.found) {
    if (recording.memory[race.memory].within) count += race.count;
  }
  return count;
}

/// Returns true if only the host's waits keep operations of several streams apart that use the
/// iteration's own allocations. What they find there without the waits may be an invalid index or
/// address, whereas other memory holds what the previous iteration left.
bool needs_its_waits(ApplicationRecording recording) {
  if (recording.streams.size() < 2) return false;
  const auto before = races_for_new_memory(recording);
  for (RecordedCall& call : recording.calls) {
    if (only_waits(call.kind)) call.kind = CallKind::other;
    call.synchronous = false;
  }
  recording.calls.emplace_back().kind = CallKind::synchronize_context;  // the last wait stays
  const auto after = races_for_new_memory(recording);
  return !before || !after || *after > *before;
}

std::ptrdiff_t waits_of(const TakenIteration& taken) {
  return std::ranges::count_if(segments_of(taken.recording),
                               [](const CallSegment& segment) { return !segment.nodes.empty(); });
}

}  // namespace

std::string why_not(ReplayWay way, const TakenIteration& taken) {
  const ApplicationRecording& recording = taken.recording;
  const bool something_varies = any_call(recording, varies);
  switch (way) {
    case ReplayWay::calls: return {};
    case ReplayWay::graph:
      if (something_varies) {
        return "arguments or pointers vary from iteration to iteration; see graph_set";
      }
      return why_no_graph(recording);
    case ReplayWay::graph_set:
      if (!something_varies) return "nothing varies from iteration to iteration; see graph";
      return why_no_graph(recording);
    case ReplayWay::pinned:
      if (any_call(recording, [&](const RecordedCall& c) { return is_pageable(c, recording); })) {
        return {};
      }
      return "no copy uses pageable memory";
    case ReplayWay::pool: return why_no_pool(taken);
    case ReplayWay::fewer_waits:
      if (runs_ahead(recording)) return "the loop runs ahead: it waits for earlier work only";
      if (waits_of(taken) <= 1) return "the iteration waits once";
      if (!needs_its_waits(recording)) return {};
      return "operations of several streams would use memory before its data is ready";
  }
  return {};
}

std::unique_ptr<Candidate> make_candidate(ReplayWay way, const TakenIteration& taken) {
  switch (way) {
    case ReplayWay::graph:
    case ReplayWay::graph_set: return graph_by_graph(way, taken);
    case ReplayWay::calls:
    case ReplayWay::pinned:
    case ReplayWay::pool:
    case ReplayWay::fewer_waits: return call_by_call(way, taken);
  }
  return nullptr;
}

}  // namespace trilane
