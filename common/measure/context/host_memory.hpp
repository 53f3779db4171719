// Available host memory, checked before pinning because pinned memory cannot be swapped.
#pragma once

#include <cstdint>
#include <filesystem>

namespace trilane {

/// Returns the bytes that this process can get without swapping: MemAvailable, or less if a control
/// group (v2 or v1, any level) allows less. Page cache that a group can reclaim counts as free.
/// Returns the largest number if nothing can be read. The figure is too low on a virtual machine
/// whose memory grows with use, so a caller that refuses should state it. `root` replaces / in
/// tests.
std::uint64_t available_host_bytes(const std::filesystem::path& root = "/");

}  // namespace trilane
