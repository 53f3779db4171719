#include "common/application/iteration/call_traits.hpp"

#include <fmt/format.h>

namespace trilane {
namespace {

/// Returns the kind of the memory that a copy or memset reads or writes.
MemoryKind kind_at(const RecordedCall& call, Use use, const ApplicationRecording& recording) {
  const UsedRange* const side = first_used(call, use);
  return side == nullptr ? MemoryKind::unknown : recording.memory[side->memory].kind;
}

const char* words_of(MemoryKind kind) {
  switch (side_of(kind)) {
    case MemorySide::host: return "host";
    case MemorySide::device: return "device";
    case MemorySide::unknown: break;
  }
  return name_of(kind);
}

/// Returns what the driver's documentation says under "API synchronization behavior". With unknown
/// memory the copy counts as waited for, so that no race is wrongly called certain.
HostWait wait_of_copy(const RecordedCall& call, const ApplicationRecording& recording) {
  const MemoryKind from = kind_at(call, Use::reads, recording);
  const MemoryKind to = kind_at(call, Use::writes, recording);
  const bool to_pageable = std::ranges::any_of(call.uses, [&](const UsedRange& used) {
    return used.use == Use::writes && recording.memory[used.memory].kind == MemoryKind::pageable;
  });
  if (to_pageable) return HostWait::itself;
  if (!call.synchronous) return HostWait::nothing;
  if (from == MemoryKind::pageable) return HostWait::before;
  return on_device(from) && on_device(to) ? HostWait::nothing : HostWait::itself;
}

HostWait wait_of_memset(const RecordedCall& call, const ApplicationRecording& recording) {
  const bool waits = call.synchronous && !on_device(kind_at(call, Use::writes, recording));
  return waits ? HostWait::itself : HostWait::nothing;
}

}  // namespace

HostWait host_wait_of(const RecordedCall& call, const ApplicationRecording& recording) {
  if (call.kind == CallKind::copy) return wait_of_copy(call, recording);
  if (call.kind == CallKind::memset) return wait_of_memset(call, recording);
  return traits_of(call.kind).wait;
}

bool is_pageable(const RecordedCall& call, const ApplicationRecording& recording) {
  const auto pageable = [](const RecordedMemory& m) { return m.kind == MemoryKind::pageable; };
  return call.kind == CallKind::copy && any_memory(call, recording, pageable);
}

std::int32_t priority_of(const RecordedCall& kernel, const ApplicationRecording& recording) {
  const bool own = kernel.attributes && kernel.attributes->priority;
  return own ? *kernel.attributes->priority : recording.streams[kernel.stream].priority;
}

RecordedEngine engine_of(const RecordedCall& call, const ApplicationRecording& recording) {
  if (!is_operation(call.kind)) return RecordedEngine::none;
  if (call.kind != CallKind::copy) return RecordedEngine::compute;
  if (on_host(kind_at(call, Use::reads, recording))) return RecordedEngine::copy_in;
  return on_host(kind_at(call, Use::writes, recording)) ? RecordedEngine::copy_out
                                                        : RecordedEngine::compute;
}

TimeUse use_of(const RecordedCall& call, const ApplicationRecording& recording) {
  switch (role_of(call.kind)) {
    case CallRole::work:
      return is_pageable(call, recording) || host_wait_of(call, recording) != HostWait::nothing
                 ? TimeUse::blocking_copy
                 : TimeUse::launching;
    case CallRole::graph_launch:
    case CallRole::host_function:
    case CallRole::record_event:
    case CallRole::wait_event: return TimeUse::launching;
    case CallRole::synchronize_stream:
    case CallRole::synchronize_event:
    case CallRole::synchronize_context:
    case CallRole::query: return TimeUse::waiting;
    case CallRole::allocation:
    case CallRole::release: return TimeUse::allocating;
    case CallRole::graph_change:
    case CallRole::other: break;
  }
  return TimeUse::other_calls;
}

std::string function_of(const RecordedCall& call) {
  return call.runtime.empty() ? call.name : call.runtime;
}

std::string operation_name(const RecordedCall& call, const ApplicationRecording& recording) {
  if (call.kind == CallKind::kernel) return "kernel " + recording.kernels[call.kernel].name;
  if (call.kind != CallKind::copy) return name_of(call.kind);
  return fmt::format("copy {} to {}", words_of(kind_at(call, Use::reads, recording)),
                     words_of(kind_at(call, Use::writes, recording)));
}

}  // namespace trilane
