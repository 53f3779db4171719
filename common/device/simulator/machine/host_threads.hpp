// Host threads: who makes the next runtime call.
#pragma once

#include <mutex>

#include "common/device/simulator/machine/machine.hpp"

namespace trilane::simulator {

/// While it lives the machine belongs to this thread. Threads that HostThreads has announced
/// (common/device/flavour.hpp) get it one after the other, in the order of their numbers, for one
/// call each; whose turn it is is waited for. Other threads get it as they come.
///
/// There is one virtual clock for all of them: their calls take their time one after the other, as
/// behind a lock of the driver's that covers the whole call. And they count as one host: what one
/// has waited for all of them know to be done.
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
