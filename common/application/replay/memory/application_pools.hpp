// The pools that an application's stream-ordered allocations come from.
#pragma once

#include <cuda.h>

#include <cstdint>
#include <map>

#include "common/application/finding/core/application_recorder.hpp"
#include "common/application/replay/calls/driver_handles.hpp"

namespace trilane {

/// The pool of that handle; null: the current one of the current device.
CUmemoryPool pool_behind(CUmemoryPool pool);

/// Whether it gives nothing back to the device, however much is free in it when the host waits.
bool keeps_its_memory(CUmemoryPool pool);

/// One that uses memory again as `pool` does, and keeps all of it.
OwnPool make_keeping_pool_like(CUmemoryPool pool);

/// The pools of an iteration, as they are now.
class ApplicationPools {
 public:
  explicit ApplicationPools(const ObservedIteration& iteration);

  /// Gives back to the device what they have taken from it since and do not use. The device must be
  /// idle.
  void give_back() const;

 private:
  std::map<CUmemoryPool, std::uint64_t> reserved_;  ///< bytes of the device's memory, by pool
};

}  // namespace trilane
