// The GPU: found, chosen, or missed with a reason.
#pragma once

#include <cstdint>
#include <string>

#include "common/workload/wait.hpp"

namespace trilane {

/// What the run needs to know of the device it chose.
struct Device {
  int ordinal = 0;
  std::string name;
  std::string pci_bus_id;                       ///< "0000:1b:00.0": how NVML finds the same device
  int driver_version = 0, runtime_version = 0;  ///< 13000 is 13.0
  int compute_major = 0, compute_minor = 0;
  int multiprocessors = 0;
  bool memory_pools = false;
  std::uint64_t total_bytes = 0, free_bytes = 0;
};

/// Makes device `ordinal` current and creates its context, in which the host waits for the device
/// as `wait` says: yielding or blocking adds the scheduler to every wall time. Throws NoGpu when
/// there is no driver, the driver is too old, no device is there or CUDA_VISIBLE_DEVICES hides them
/// all, and UsageError when there are devices but not this one.
Device open_device(int ordinal, Wait wait = Wait::spin);

}  // namespace trilane
