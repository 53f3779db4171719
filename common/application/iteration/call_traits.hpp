// Tells CUDA's rules for a recorded call, by its kind and memory, and its place in the source.
#pragma once

#include "common/application/iteration/application_recording.hpp"
#include "common/application/iteration/call_kinds.hpp"
#include "common/application/iteration/time_use.hpp"

namespace trilane {

/// Returns true if `holds` does for some call of the iteration.
bool any_call(const ApplicationRecording& recording, auto holds) {
  return std::ranges::any_of(recording.calls, holds);
}

/// Returns what the host waits for, by the call's kind and, for a copy or memset, its memory.
HostWait host_wait_of(const RecordedCall& call, const ApplicationRecording& recording);

/// Returns true if the call, which names a stream, is in the legacy default stream.
inline bool in_legacy_stream(const RecordedCall& call, const ApplicationRecording& recording) {
  return recording.streams[call.stream].kind == StreamKind::legacy;
}

/// Returns true if `holds` is true for a piece of memory that the call uses.
bool any_memory(const RecordedCall& call, const ApplicationRecording& recording, auto holds) {
  return std::ranges::any_of(
      call.uses, [&](const UsedRange& used) { return holds(recording.memory[used.memory]); });
}

/// Returns true for a kernel, copy, memset or graph without its time on the GPU.
inline bool lacks_device_time(const RecordedCall& call) {
  const CallRole role = role_of(call.kind);
  return !call.device_us && (role == CallRole::work || role == CallRole::graph_launch);
}

/// Returns true if one side of a copy is pageable memory.
bool is_pageable(const RecordedCall& call, const ApplicationRecording& recording);

/// Returns the priority that a kernel has, and keeps in a graph: its own or its stream's.
std::int32_t priority_of(const RecordedCall& kernel, const ApplicationRecording& recording);

/// The engine of an operation. Operations of one engine often follow each other.
enum class RecordedEngine { compute, copy_in, copy_out, none };
constexpr bool is_copy(RecordedEngine engine) {
  return engine == RecordedEngine::copy_in || engine == RecordedEngine::copy_out;
}
RecordedEngine engine_of(const RecordedCall& call, const ApplicationRecording& recording);

/// Returns what the host does in the call.
TimeUse use_of(const RecordedCall& call, const ApplicationRecording& recording);

/// Returns the name of the called function: the runtime's, or else the driver's.
inline std::string function_of(const RecordedCall& call) {
  return call.runtime.empty() ? call.name : call.runtime;
}

/// Returns the common name of an operation: "kernel scale", "copy host to device", "memset".
std::string operation_name(const RecordedCall& call, const ApplicationRecording& recording);

/// Returns where the program makes the call: "pipeline.cu:42 step", or "call 14" if its source is
/// unknown. Names the outermost of the user's functions that not all calls share, and the
/// innermost one if it differs: "train.py:31 step > model.py:20 forward". If all calls share the
/// user's functions, names the innermost of a Python library that they do not.
std::string place_of(const ApplicationRecording& recording, std::size_t call);
/// Returns the same for a stack of the source; empty if nothing is known of it.
std::string place_of(const RecordedSource& source, std::uint32_t stack);

}  // namespace trilane
