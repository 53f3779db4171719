// The recorded times of calls that take memory from the driver, or give it back.
#pragma once

#include "common/application/iteration/records/application_recording.hpp"

namespace trilane {

/// Whether it is cudaMalloc, cudaFree, or one of those for pinned memory.
bool is_by_driver(CallKind kind);

/// Whether the iteration has such calls, and all their times are known. These are better than a
/// profile's, for what they take depends on what else the process holds.
bool has_recorded_allocations(const ApplicationRecording& recording);

/// What an iteration took while only its last call was watched, as a share of the sum of its calls
/// and the time between them, which were measured while all calls were; at most 1.
double watched_share(const ApplicationRecording& recording);

}  // namespace trilane
