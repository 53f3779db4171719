// Keeps a process near its GPU.
#pragma once

#include <filesystem>

namespace trilane {

/// Keeps this process and its children to the allowed cores near a GPU, and prefers memory there.
/// Returns these cores and that node in words: "0-31, node 0". Returns an empty string, and changes
/// nothing, if the machine does not say which are near, or all are. `root` replaces / in tests.
std::string stay_near(const std::string& pci_bus_id, const std::filesystem::path& root = "/");

}  // namespace trilane
