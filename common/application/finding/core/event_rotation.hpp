// Events that calls wait for and that an earlier iteration has recorded.
#pragma once

#include <cstdint>
#include <vector>

#include "common/application/finding/calls/call_store.hpp"
#include "common/application/finding/core/digest.hpp"

namespace trilane {

struct EventRotation {
  /// Calls of an iteration that wait for an event which an earlier iteration has recorded, by
  /// number, from 0.
  std::vector<std::uint64_t> lagging;
  /// After so many iterations each call names the same event again. 1: in each; 0: not within half
  /// of the repetitions.
  std::uint64_t period = 1;
};

/// Returns how the events of an iteration rotate; without a call that lags its period is 1, since
/// then a call waits for the same record whatever the event is called.
EventRotation rotation_of(const CallStore& store, const Repetitions& repetitions);

/// Returns the same repetitions, `period` of them as one. The earliest may be left out.
Repetitions joined(const Repetitions& repetitions, std::uint64_t period);

}  // namespace trilane
