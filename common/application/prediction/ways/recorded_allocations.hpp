// Times of calls that allocate memory from the driver or free it, as recorded.
#pragma once

#include "common/application/iteration/records/application_recording.hpp"

namespace trilane {

/// Returns true for cudaMalloc, cudaFree and the functions for pinned memory.
bool is_by_driver(CallKind kind);

/// Returns true if the iteration has such calls and all their times are known. These are better
/// than a profile's, because they depend on what else the process holds.
bool has_recorded_allocations(const ApplicationRecording& recording);

/// Returns the time of an iteration with only its last call watched, as a share of the sum of its
/// calls and the time between them with all calls watched; at most 1.
double watched_share(const ApplicationRecording& recording);

}  // namespace trilane
