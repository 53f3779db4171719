#include "common/application/iteration/records/why_no_replay.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace trilane {

namespace {

bool uses_managed(const ApplicationRecording& recording, const RecordedCall& call) {
  return std::ranges::any_of(call.uses, [&](const UsedRange& range) {
    return recording.memory[range.memory].kind == MemoryKind::managed;
  });
}

std::string in_words(const ApplicationRecording& recording, const RecordedCall& call) {
  if (call.kind != CallKind::kernel) return call.name;
  return fmt::format("{} of {}", call.name, recording.kernels[call.kernel].name);
}

std::string why_no_replay(const ApplicationRecording& recording, const RecordedCall& call) {
  if (!call.refusal.empty()) return call.refusal;
  if (uses_managed(recording, call)) return "it uses managed memory, which moves by itself";
  return {};
}

}  // namespace

std::string why_no_replay(const ApplicationRecording& recording) {
  switch (recording.found) {
    case Found::repeats:
    case Found::range: break;
    case Found::none: return "no iteration was found";
  }
  if (recording.broken) return "the loop changed its shape while it was looked at";
  if (recording.threads > 1) {
    return fmt::format("{} threads make the calls of an iteration", recording.threads);
  }
  for (const RecordedCall& call : recording.calls) {
    const std::string reason = why_no_replay(recording, call);
    if (!reason.empty()) return fmt::format("{}: {}", in_words(recording, call), reason);
  }
  return {};
}

}  // namespace trilane
