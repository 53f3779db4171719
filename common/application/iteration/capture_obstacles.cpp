#include "common/application/iteration/capture_obstacles.hpp"

#include "common/application/iteration/call_traits.hpp"
#include "common/base/text/words.hpp"

namespace trilane {

namespace {

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
    case CaptureReason::priorities: return false;  // they do not concern single calls
  }
  return false;
}

void add_failed(const ApplicationRecording& recording, std::vector<CaptureObstacle>& all) {
  if (!recording.captures) return;
  for (const FailedCapture& failed : recording.captures->failed) {
    all.push_back({.reason = CaptureReason::failed,
                   .name = failed.runtime.empty() ? failed.call : failed.runtime,
                   .kind = failed.kind,
                   .call = std::nullopt,
                   .count = failed.count,
                   .of = recording.captures->ended,
                   .code = failed.code});
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
  constexpr std::size_t most_functions = 2;
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
      to.place = place_of(recording, i);
    }
    if (failed) continue;
    if (found.count++ == 0) found.kind = call.kind;
    if (call.kind != found.kind) found.kind = CallKind::other;
    if (std::ranges::find(names, name) == names.end()) names.push_back(name);
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
  const bool own_streams = std::ranges::any_of(recording.streams, [](const RecordedStream& stream) {
    return stream.kind == StreamKind::per_thread;
  });
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
  add_failed(recording, all);
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
  switch (recording.found) {
    case Found::repeats:
    case Found::range:
    case Found::in_kind: break;
    case Found::none: return "no iteration was found";
  }
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
