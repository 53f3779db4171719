// Host threads, and the order of their runtime calls.
#pragma once

#include <mutex>

#include "common/device/simulator/machine/machine.hpp"

namespace trilane::simulator {

/// Locks the machine for this thread's call. Threads that HostThreads has announced
/// (common/device/flavour.hpp) get it in the order of their numbers, for one call each; the
/// constructor waits for that. Other threads get it as they come.
///
/// All threads share one virtual clock: their calls follow each other, as if the driver held a lock
/// for the whole call. They count as one host: what one has waited for is known to all.
class Hold {
 public:
  explicit Hold(Machine& machine);
  ~Hold();
  Hold(const Hold&) = delete;
  Hold& operator=(const Hold&) = delete;

 private:
  std::unique_lock<std::recursive_mutex> lock_;
};

}  // namespace trilane::simulator
