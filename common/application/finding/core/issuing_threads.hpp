// Tells whether concurrently issuing threads are why an application's calls do not repeat.
#pragma once

#include <cstdint>

#include "common/application/finding/calls/call_store.hpp"
#include "common/application/finding/iteration_finder.hpp"

namespace trilane {

/// Returns the number of threads that made the latest calls if only their common order differs: the
/// calls of at least one thread repeat once the others' are left out. Otherwise returns 0. If the
/// thread waits, its repeating calls must include a wait. Checks the last 8,192 calls, and takes
/// some milliseconds.
std::uint64_t threads_out_of_order(const CallStore& calls, const IterationFinder& finder,
                                   std::uint64_t repetitions);

}  // namespace trilane
