// Finds events that an earlier iteration has recorded and calls wait for.
#pragma once

#include <cstdint>
#include <vector>

#include "common/application/finding/calls/call_store.hpp"
#include "common/application/finding/core/digest.hpp"

namespace trilane {

struct EventRotation {
  /// Numbers of the iteration's calls, from 0, that wait for an event recorded in an earlier
  /// iteration.
  std::vector<std::uint64_t> lagging;
  /// Iterations after which each call names the same event again. 1: in each iteration; 0: not
  /// within half of the repetitions.
  std::uint64_t period = 1;
};

/// Returns how an iteration's events rotate. Without a lagging call the period is 1, since a call
/// then waits for the same record whatever the event's name.
EventRotation rotation_of(const CallStore& store, const Repetitions& repetitions);

/// Returns the same repetitions, with `period` of them joined to one. The earliest may be left out.
Repetitions joined(const Repetitions& repetitions, std::uint64_t period);

}  // namespace trilane
