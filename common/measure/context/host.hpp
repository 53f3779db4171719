// The machine of a run, without names of machine and user, its free memory, and cores near a GPU.
#pragma once

#include "common/model/results/results.hpp"

namespace trilane {

/// Returns processor, CPUs online and allowed, memory, kernel, system, CPU governor, load, and
/// whether the machine is virtual. What cannot be read is empty. `root` replaces / in tests.
std::vector<Property> describe_host(const std::filesystem::path& root = "/");

/// Returns this process's CUDA_* and NVIDIA_* variables by name, except NVIDIA_REQUIRE_*. Results
/// files are published: the user's home is written as "~", and likely secrets as "(not recorded)".
std::vector<Property> describe_environment();

/// Returns `text` with the home directory, if it is a complete path, written as "~".
std::string without_home(const std::string& text);

/// Returns the bytes that this process can get without swapping: MemAvailable, or less if a control
/// group (v2 or v1, any level) allows less. Page cache that a group can reclaim counts as free.
/// Returns the largest number if nothing can be read. The figure is too low on a virtual machine
/// whose memory grows with use, so refusals should state it.
std::uint64_t available_host_bytes(const std::filesystem::path& root = "/");

/// Keeps this process and its children to the allowed cores near a GPU, and prefers memory there.
/// Returns these cores and that node in words: "0-31, node 0". Returns an empty string, and changes
/// nothing, if the machine does not say which are near, or all are. `root` replaces / in tests.
std::string stay_near(const std::string& pci_bus_id, const std::filesystem::path& root = "/");

}  // namespace trilane
