// Whether threads that issue at the same time are why an application's calls do not repeat.
#pragma once

#include <cstdint>

#include "common/application/finding/calls/call_store.hpp"
#include "common/application/finding/iteration_finder.hpp"

namespace trilane {

/// The number of threads that made the latest calls, if the calls of at least one of them repeat
/// when the others' are left out, so that it is their common order that differs; otherwise 0. Of a
/// thread that waits, what repeats has a wait. Looks at the last 8,192 calls, and costs some
/// milliseconds.
std::uint64_t threads_out_of_order(const CallStore& calls, const IterationFinder& finder,
                                   std::uint64_t repetitions);

}  // namespace trilane
