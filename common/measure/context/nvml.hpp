// The GPU's state from the driver's management library (NVML), and other processes on the GPU.
#pragma once

#include "common/model/results/results.hpp"

namespace trilane {

/// A reading of a GPU's state. All names are present; unread values are empty; `notes` says why.
struct NvmlReading {
  std::vector<Property> identity;  ///< constant: UUID, driver, maximum clocks, limits, modes
  std::vector<Property> state;     ///< varying: clocks and their limiters, temperature, power, link
  std::vector<std::string> other_processes;  ///< on the GPU besides this one: "1234 python3"
  std::vector<std::string> notes;
};

/// Returns the address of an NVML function; null if this NVML lacks it.
using NvmlLookup = std::function<void*(const char* function)>;

/// Reads the GPU at that PCI bus id ("0000:1b:00.0") through NVML, which is loaded for this call.
/// Never fails: a missing library becomes a note.
NvmlReading read_nvml(const std::string& pci_bus_id, const char* library = "libnvidia-ml.so.1");

/// Reads through any implementation of NVML.
NvmlReading read_nvml(const std::string& pci_bus_id, const NvmlLookup& lookup);

/// Returns signs of other processes on a GPU on which this process has no context yet, in words:
/// "1.2 GiB of its memory in use before", "kernels ran before". In a container NVML often lists no
/// process at all, not even this one. Kernels of a program that has just ended count for up to a
/// second, so this waits for up to 1.5 s while the GPU is busy. Empty if NVML does not tell.
std::vector<std::string> signs_of_others(const std::string& pci_bus_id,
                                         const char* library = "libnvidia-ml.so.1");

/// Reads through any implementation of NVML.
std::vector<std::string> signs_of_others(const std::string& pci_bus_id, const NvmlLookup& lookup);

/// Returns "1234 python3" for every process of `pids` except this one, which must have a context on
/// the GPU. If it is not listed, the numbers are from another pid namespace, as in a container:
/// names are left out, and a note says that one may be this process. `root` replaces / in tests.
std::vector<std::string> describe_others(std::set<unsigned> pids, std::vector<std::string>& notes,
                                         const std::filesystem::path& root = "/");

}  // namespace trilane
