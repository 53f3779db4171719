// Available host memory: checked before memory is pinned, because pinned memory cannot be swapped.
#pragma once

#include <cstdint>
#include <filesystem>

namespace trilane {

/// Bytes that this process can get without swapping: MemAvailable, or less if a control group (v2
/// or v1, any level) allows less. Page cache that a group can reclaim counts as free. The largest
/// number if nothing can be read. Too low on a virtual machine whose memory grows as it is used, so
/// a caller that refuses should state the figure. `root` replaces / in tests.
std::uint64_t available_host_bytes(const std::filesystem::path& root = "/");

}  // namespace trilane
