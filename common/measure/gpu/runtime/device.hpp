// Opens the chosen GPU, or says why that is not possible.
#pragma once

#include <cstdint>
#include <string>

#include "common/model/workload/wait.hpp"

namespace trilane {

/// The chosen device.
struct Device {
  int ordinal = 0;
  std::string name;
  std::string pci_bus_id;                       ///< "0000:1b:00.0": how NVML finds the same device
  int driver_version = 0, runtime_version = 0;  ///< 13000 is 13.0
  int compute_major = 0, compute_minor = 0;
  int multiprocessors = 0;
  bool memory_pools = false;
  bool one_process = false;  ///< its compute mode lets no second process use it
  std::uint64_t total_bytes = 0, free_bytes = 0;
};

/// Ends the context, and all that this process has on the GPU: nothing may live that releases any
/// of it later. open_device() makes another.
void close_device();

/// What whoever measures several variants says of a device with `one_process`.
inline constexpr const char* all_in_one_process =
    "the GPU is in exclusive mode, so all variants run in one process, where some slow others "
    "down; nvidia-smi -c DEFAULT lets each have its own";

/// The device's PCI bus id, without a context on it; empty if it cannot be had, for which
/// open_device() gives the reason.
std::string pci_bus_id_of(int ordinal);

/// Does the part of opening a GPU that needs no context, so that open_device() takes less time.
void initialise_driver();

/// Makes device `ordinal` current and creates its context. `wait` is how the host waits for the
/// device: yielding and blocking add the scheduler's time to every wall time. Throws NoGpu when the
/// driver is missing or too old, when there is no device, or when CUDA_VISIBLE_DEVICES hides all of
/// them; throws UsageError when there are devices but not this one.
Device open_device(int ordinal, Wait wait = Wait::spin);

}  // namespace trilane
