// What the host can still give: asked before memory is pinned, which no swap can take back.
#pragma once

#include <cstdint>
#include <filesystem>

namespace trilane {

/// Bytes that this process can get without swapping: MemAvailable, or less where a control group
/// around it (v2 or v1, any level) leaves less; page cache that a group would give back counts as
/// free. The largest number when nothing can be read: then nothing speaks against an allocation.
/// On a virtual machine whose memory grows as it is used this understates: a caller that refuses
/// by it should name the figure, so that a person can judge. `root` stands for / in tests.
std::uint64_t available_host_bytes(const std::filesystem::path& root = "/");

}  // namespace trilane
