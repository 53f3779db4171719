#include "common/application/diagnosis/calls/call_traits.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace trilane {
namespace {

/// The kind of the memory that a copy or memset reads or writes.
MemoryKind side_of(const RecordedCall& call, Use use, const ApplicationRecording& recording) {
  const auto side = std::ranges::find(call.uses, use, &UsedRange::use);
  return side == call.uses.end() ? MemoryKind::unknown : recording.memory[side->memory].kind;
}

bool on_host(MemoryKind kind) { return kind == MemoryKind::pageable || kind == MemoryKind::pinned; }

bool on_device(MemoryKind kind) {
  return kind == MemoryKind::device || kind == MemoryKind::pool || kind == MemoryKind::module;
}

const char* place_of(MemoryKind kind) {
  return on_host(kind) ? "host" : on_device(kind) ? "device" : name_of(kind);
}

/// As the driver's documentation says under "API synchronization behavior". Where the memory is not
/// known, the copy counts as waited for, so that no race is called certain by mistake.
HostWait wait_of_copy(const RecordedCall& call, const ApplicationRecording& recording) {
  const MemoryKind from = side_of(call, Use::reads, recording);
  const MemoryKind to = side_of(call, Use::writes, recording);
  if (to == MemoryKind::pageable) return HostWait::itself;
  if (!call.synchronous) return HostWait::nothing;
  if (from == MemoryKind::pageable) return HostWait::before;
  return on_device(from) && on_device(to) ? HostWait::nothing : HostWait::itself;
}

HostWait wait_of_memset(const RecordedCall& call, const ApplicationRecording& recording) {
  const bool waits = call.synchronous && !on_device(side_of(call, Use::writes, recording));
  return waits ? HostWait::itself : HostWait::nothing;
}

}  // namespace

HostWait host_wait_of(const RecordedCall& call, const ApplicationRecording& recording) {
  switch (call.kind) {
    case CallKind::copy: return wait_of_copy(call, recording);
    case CallKind::memset: return wait_of_memset(call, recording);
    case CallKind::synchronize_stream: return HostWait::stream;
    case CallKind::synchronize_event: return HostWait::event;
    case CallKind::query: return HostWait::stream_and_event;
    case CallKind::synchronize_context:
    case CallKind::free:
    case CallKind::free_host: return HostWait::everything;
    case CallKind::kernel:
    case CallKind::graph_launch:
    case CallKind::host_function:
    case CallKind::record_event:
    case CallKind::wait_event:
    case CallKind::allocate:
    case CallKind::allocate_async:
    case CallKind::free_async:
    case CallKind::allocate_host:
    case CallKind::change_graph:
    case CallKind::other: break;
  }
  return HostWait::nothing;
}

bool is_pageable(const RecordedCall& call, const ApplicationRecording& recording) {
  return call.kind == CallKind::copy && std::ranges::any_of(call.uses, [&](const UsedRange& used) {
           return recording.memory[used.memory].kind == MemoryKind::pageable;
         });
}

RecordedEngine engine_of(const RecordedCall& call, const ApplicationRecording& recording) {
  if (!is_operation(call.kind)) return RecordedEngine::none;
  if (call.kind != CallKind::copy) return RecordedEngine::compute;
  if (on_host(side_of(call, Use::reads, recording))) return RecordedEngine::copy_in;
  return on_host(side_of(call, Use::writes, recording)) ? RecordedEngine::copy_out
                                                        : RecordedEngine::compute;
}

TimeUse use_of(const RecordedCall& call, const ApplicationRecording& recording) {
  switch (call.kind) {
    case CallKind::copy:
    case CallKind::memset:
      return is_pageable(call, recording) || host_wait_of(call, recording) != HostWait::nothing
                 ? TimeUse::blocking_copy
                 : TimeUse::launching;
    case CallKind::kernel:
    case CallKind::graph_launch:
    case CallKind::host_function:
    case CallKind::record_event:
    case CallKind::wait_event: return TimeUse::launching;
    case CallKind::synchronize_stream:
    case CallKind::synchronize_event:
    case CallKind::synchronize_context:
    case CallKind::query: return TimeUse::waiting;
    case CallKind::allocate:
    case CallKind::free:
    case CallKind::allocate_async:
    case CallKind::free_async:
    case CallKind::allocate_host:
    case CallKind::free_host: return TimeUse::allocating;
    case CallKind::change_graph:
    case CallKind::other: break;
  }
  return TimeUse::other_calls;
}

std::string function_of(const RecordedCall& call) {
  return call.runtime.empty() ? call.name : call.runtime;
}

std::string operation_name(const RecordedCall& call, const ApplicationRecording& recording) {
  switch (call.kind) {
    case CallKind::kernel: return "kernel " + recording.kernels[call.kernel].name;
    case CallKind::copy:
      return fmt::format("copy {} to {}", place_of(side_of(call, Use::reads, recording)),
                         place_of(side_of(call, Use::writes, recording)));
    default: return name_of(call.kind);
  }
}

}  // namespace trilane
