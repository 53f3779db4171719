// What CUDA lays down for a recorded call, by its kind and the memory that it uses.
#pragma once

#include <string>

#include "common/application/iteration/records/application_recording.hpp"
#include "common/application/iteration/records/call_kinds.hpp"
#include "common/application/iteration/records/time_use.hpp"

namespace trilane {

/// By the kind of the call; for a copy or memset by the memory that it uses, too.
HostWait host_wait_of(const RecordedCall& call, const ApplicationRecording& recording);

/// Whether one side of a copy is pageable memory.
bool is_pageable(const RecordedCall& call, const ApplicationRecording& recording);

/// Returns the priority that a kernel has, and keeps in a graph: its own, or that of its stream.
/// The more important, the further below 0.
std::int32_t priority_of(const RecordedCall& kernel, const ApplicationRecording& recording);

/// What runs an operation. Operations of one engine often follow each other.
enum class RecordedEngine { compute, copy_in, copy_out, none };
RecordedEngine engine_of(const RecordedCall& call, const ApplicationRecording& recording);

/// What the host does in the call.
TimeUse use_of(const RecordedCall& call, const ApplicationRecording& recording);

/// The function that the application called: the runtime's, or else the driver's.
std::string function_of(const RecordedCall& call);

/// An operation as people call it: "kernel scale", "copy host to device", "memset".
std::string operation_name(const RecordedCall& call, const ApplicationRecording& recording);

}  // namespace trilane
