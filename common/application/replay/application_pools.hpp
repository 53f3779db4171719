// The pools that an application's stream-ordered allocations come from.
#pragma once

#include <cuda.h>

#include "common/application/finding/application_recorder.hpp"
#include "common/application/replay/driver_handles.hpp"

namespace trilane {

/// Returns the pool of that handle; for null, the current one of the current device.
CUmemoryPool pool_behind(CUmemoryPool pool);

/// Returns true if it gives nothing back to the device when the host waits, however much is free.
bool keeps_its_memory(CUmemoryPool pool);

/// Makes a pool on the current device that keeps all of its memory. It reuses memory as `pool`
/// does, unless that is null.
OwnPool make_keeping_pool(CUmemoryPool pool);

/// The pools of an iteration, in their current state.
class ApplicationPools {
 public:
  explicit ApplicationPools(const ObservedIteration& iteration);

  /// Gives back to the device what the pools have taken from it since and do not use. The device
  /// must be idle.
  void give_back() const;

 private:
  std::map<CUmemoryPool, std::uint64_t> reserved_;  ///< bytes of the device's memory, by pool
};

}  // namespace trilane
