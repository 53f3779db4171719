// Opens the chosen GPU, or reports why it cannot.
#pragma once

#include "common/model/workload/workload.hpp"

namespace trilane {

/// The chosen device.
struct Device {
  int ordinal = 0;
  std::string name;
  std::string pci_bus_id;                       ///< "0000:1b:00.0"; NVML finds the device by it
  int driver_version = 0, runtime_version = 0;  ///< 13000 is 13.0
  int compute_major = 0, compute_minor = 0;
  int multiprocessors = 0;
  bool memory_pools = false;
  bool one_process = false;  ///< its compute mode excludes a second process
  std::uint64_t total_bytes = 0, free_bytes = 0;
};

/// Destroys the context and everything that this process has on the GPU. No owner may remain that
/// would release any of it later. open_device() creates a new context.
void close_device();

/// Lets this host thread call what it likes while other threads of the process capture a graph, as
/// if it had a process of its own.
void share_process();

/// The message of commands that measure several variants on a device with `one_process`.
inline constexpr const char* all_in_one_process =
    "the GPU is in exclusive mode, so all variants run in one process, where one may slow another "
    "down; nvidia-smi -c DEFAULT lets each have its own";

/// Returns the device's PCI bus id without creating a context; empty if unavailable, in which case
/// open_device() reports the reason.
std::string pci_bus_id_of(int ordinal);

/// Returns the number of devices. Throws NoGpu as open_device() does.
int device_count();

/// Does the part of opening a GPU that needs no context, which shortens open_device().
void initialise_driver();

/// Returns the flag of cudaSetDeviceFlags() for a way to wait.
unsigned flag_of(Wait wait);

/// Makes device `ordinal` current and creates its context. `wait` is how the host waits for the
/// device: yielding and blocking add the scheduler's time to every wall time. Throws NoGpu if the
/// driver is missing or too old, there is no device, or CUDA_VISIBLE_DEVICES hides all of them.
/// Throws UsageError if there are devices but not this one.
Device open_device(int ordinal, Wait wait = Wait::spin);

}  // namespace trilane
