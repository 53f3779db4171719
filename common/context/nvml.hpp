// The GPU's state as the driver's management library (NVML) tells it.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "common/results/results.hpp"

namespace trilane {

/// One look at a GPU. All names are always there; a value that could not be read is empty, and
/// `notes` says why.
struct NvmlReading {
  std::vector<Property> identity;  ///< what stays: UUID, driver, greatest clocks, limits, modes
  std::vector<Property> state;     ///< what moves: clocks and their limiters, heat, power, link
  std::vector<std::string> other_processes;  ///< on the GPU besides this one: "1234 python3"
  std::vector<std::string> notes;
};

/// The address of an NVML function; null when this NVML has none of that name.
using NvmlLookup = std::function<void*(const char* function)>;

/// Reads the GPU at that PCI bus id ("0000:1b:00.0") through NVML, loaded for this call. Never
/// fails: without the library there is a note.
NvmlReading read_nvml(const std::string& pci_bus_id, const char* library = "libnvidia-ml.so.1");

/// The same through any implementation of NVML. One of null addresses only reads nothing.
NvmlReading read_nvml(const std::string& pci_bus_id, const NvmlLookup& lookup);

}  // namespace trilane
