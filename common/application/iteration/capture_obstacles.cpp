#include "common/application/iteration/capture_obstacles.hpp"

#include "common/application/iteration/call_traits.hpp"
#include "common/base/text/words.hpp"

namespace trilane {

namespace {

constexpr std::size_t most_functions = 2;

bool holds(CaptureReason reason, const RecordedCall& call, const ApplicationRecording& recording) {
  const bool legacy = acts_in_stream(call.kind) && in_legacy_stream(call, recording);
  switch (reason) {
    case CaptureReason::legacy_stream: return legacy;
    case CaptureReason::synchronous: return call.synchronous && !legacy;
    case CaptureReason::batch: return copies_in(call) > 1;
    case CaptureReason::pageable: return is_pageable(call, recording);
    case CaptureReason::allocates:
      return (allocates(call.kind) || frees(call.kind)) && !is_operation(call.kind);
    case CaptureReason::outlives:
      return allocated_kind(call.kind) == MemoryKind::pool &&
             any_memory(call, recording, [](const RecordedMemory& m) { return !m.within; });
    case CaptureReason::failed:
    case CaptureReason::noted:
    case CaptureReason::priorities: return false;  // they do not concern calls of the iteration
  }
  return false;
}

std::string place_in(const std::optional<CaptureAudit>& audit, std::optional<std::uint32_t> stack) {
  return audit && stack ? place_of(audit->source, *stack) : "";
}

CaptureObstacle obstacle_of(CaptureReason reason, const CaptureCall& call,
                            const RecordedCaptures& captures) {
  CaptureObstacle obstacle{.reason = reason,
                           .name = call.runtime.empty() ? call.call : call.runtime,
                           .kind = call.kind,
                           .count = call.count,
                           .of = captures.ended,
                           .code = call.code,
                           .where = call.place};
  if (!call.place) return obstacle;
  obstacle.place = place_in(captures.audit, call.place->stack);
  obstacle.begin = place_in(captures.audit, call.place->begin);
  obstacle.fork = place_in(captures.audit, call.place->fork);
  return obstacle;
}

/// Returns true if both were made at one line. It may have two stacks: the frames of a runtime that
/// is part of the program differ while its functions call back.
bool at_one_line(const CaptureCall& one, const CaptureCall& other,
                 const std::optional<CaptureAudit>& audit) {
  if (!one.place || !other.place) return one.place == other.place;
  CapturePlace place = *one.place;
  for (const auto stack : {&CapturePlace::stack, &CapturePlace::begin, &CapturePlace::fork}) {
    if (place_in(audit, place.*stack) != place_in(audit, *other.place.*stack)) return false;
    place.*stack = *other.place.*stack;
  }
  place.thread = other.place->thread;  // a thread has no number before its first successful call
  place.begun_by = other.place->begun_by;
  return place == *other.place;
}

/// Returns the calls, those of one function at one line as one.
std::vector<CaptureCall> by_line(const std::vector<CaptureCall>& calls,
                                 const std::optional<CaptureAudit>& audit) {
  std::vector<CaptureCall> all;
  for (const CaptureCall& call : calls) {
    const auto known = std::ranges::find_if(all, [&](const CaptureCall& one) {
      return one.call == call.call && one.code == call.code && at_one_line(one, call, audit);
    });
    if (known == all.end()) {
      all.push_back(call);
      continue;
    }
    known->count += call.count;
    if (known->runtime.empty()) known->runtime = call.runtime;
  }
  return all;
}

/// Adds the calls with one effect: refused ones each for itself, others as one obstacle.
void add_noted(CaptureEffect effect, const RecordedCaptures& captures,
               std::vector<CaptureObstacle>& all) {
  std::vector<std::string> names;
  const std::size_t first = all.size();
  for (const CaptureCall& call : by_line(captures.audit->calls, captures.audit)) {
    if (!call.place || call.place->effect != effect) continue;
    CaptureObstacle one = obstacle_of(CaptureReason::noted, call, captures);
    if (!includes(names, one.name)) names.push_back(one.name);
    if (effect == CaptureEffect::refused || all.size() == first) {
      all.push_back(std::move(one));
    } else {
      all[first].count += one.count;
      all[first].name = shortened(names, most_functions);
    }
  }
}

void add_tried(const RecordedCaptures& captures, std::vector<CaptureObstacle>& all) {
  for (const CaptureCall& failed : by_line(captures.failed, captures.audit)) {
    all.push_back(obstacle_of(CaptureReason::failed, failed, captures));
  }
  if (!captures.audit) return;
  // Without a known call. Otherwise those are most likely the same ones.
  const std::uint64_t unheard = captures.audit->unheard;
  if (all.empty() && unheard > 0) all.push_back({.count = unheard, .of = unheard});
  for (const CaptureEffect effect : {CaptureEffect::refused, CaptureEffect::lost_batch,
                                     CaptureEffect::left_out, CaptureEffect::allocates}) {
    add_noted(effect, captures, all);
  }
}

/// Returns the entry of captures that a function broke, by its name; null: it broke none.
CaptureObstacle* broken_by(const std::string& function, std::vector<CaptureObstacle>& all) {
  const auto failed = std::ranges::find_if(all, [&](const CaptureObstacle& one) {
    return one.reason == CaptureReason::failed && one.name == function;
  });
  return failed == all.end() ? nullptr : &*failed;
}

/// Adds the calls as one obstacle. Gives those in the legacy stream to captures that they broke.
void add_calls(CaptureReason reason, const ApplicationRecording& recording,
               std::vector<CaptureObstacle>& all) {
  CaptureObstacle found{.reason = reason};
  std::vector<std::string> names;
  for (std::uint32_t i = 0; i < recording.calls.size(); ++i) {
    const RecordedCall& call = recording.calls[i];
    if (!holds(reason, call, recording)) continue;
    const std::string name = function_of(call);
    const bool legacy = reason == CaptureReason::legacy_stream;
    CaptureObstacle* const failed = legacy ? broken_by(name, all) : nullptr;
    CaptureObstacle& to = failed ? *failed : found;
    if (!to.call) {
      to.call = i;
      if (to.place.empty()) to.place = place_of(recording, i);
    }
    if (failed) continue;
    if (found.count++ == 0) found.kind = call.kind;
    if (call.kind != found.kind) found.kind = CallKind::other;
    if (!includes(names, name)) names.push_back(name);
  }
  found.name = shortened(names, most_functions);
  if (found.count > 0) all.push_back(std::move(found));
}

std::string in_words(const ApplicationRecording& recording, const RecordedCall& call) {
  if (call.kind != CallKind::kernel) return call.name;
  return fmt::format("{} of {:.60}", call.name, recording.kernels[call.kernel].name);
}

/// Says why one thread cannot make the calls of several; empty if it can. It makes overlapping
/// calls in the order in which they ended, and its bytes are compared.
std::string why_threads_differ(const ApplicationRecording& recording) {
  if (recording.threads == 1) return "";
  if (recording.contexts != 1) return "several threads make the calls, and not in one context";
  const bool own_streams =
      includes(recording.streams, StreamKind::per_thread, &RecordedStream::kind);
  return own_streams ? "several threads make the calls, in default streams of their own" : "";
}

std::string why_no_replay(const ApplicationRecording& recording, const RecordedCall& call) {
  if (!call.refusal.empty()) return call.refusal;
  const auto managed = [](const RecordedMemory& m) { return m.kind == MemoryKind::managed; };
  return any_memory(call, recording, managed)
             ? "it uses managed memory, which moves by itself; use "
               "cudaMalloc and copies"
             : "";
}

}  // namespace

std::vector<CaptureObstacle> capture_obstacles(const ApplicationRecording& recording) {
  std::vector<CaptureObstacle> all;
  if (recording.captures) add_tried(*recording.captures, all);
  if (recording.found == Found::none) return all;
  for (const CaptureReason reason :
       {CaptureReason::legacy_stream, CaptureReason::synchronous, CaptureReason::batch,
        CaptureReason::pageable, CaptureReason::allocates, CaptureReason::outlives}) {
    add_calls(reason, recording, all);
  }
  if (needs_node_priorities(recording)) all.push_back({.reason = CaptureReason::priorities});
  return all;
}

bool needs_node_priorities(const ApplicationRecording& recording) {
  const auto launched = std::ranges::find_if(recording.calls, [&](const RecordedCall& call) {
    return is_operation(call.kind) && !in_legacy_stream(call, recording);
  });
  const std::int32_t priority =
      launched == recording.calls.end() ? 0 : recording.streams[launched->stream].priority;
  return std::ranges::any_of(recording.calls, [&](const RecordedCall& call) {
    return call.kind == CallKind::kernel && priority_of(call, recording) != priority;
  });
}

std::string why_no_replay(const ApplicationRecording& recording) {
  if (recording.found == Found::none) return "no iteration was found";
  if (recording.broken)
    return "the loop changed while it was analysed; let it repeat unchanged for "
           "longer, or name an NVTX range around one iteration: --iteration";
  if (const std::string why = why_threads_differ(recording); !why.empty()) return why;
  for (const RecordedCall& call : recording.calls) {
    const std::string reason = why_no_replay(recording, call);
    if (!reason.empty()) return fmt::format("{}: {}", in_words(recording, call), reason);
  }
  return {};
}

}  // namespace trilane
