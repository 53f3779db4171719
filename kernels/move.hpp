// Copies and clears done by kernels, in the place of the copy engines and memset.
#pragma once

#include <cstdint>

#include "kernels/launch.hpp"

namespace trilane {

/// to[i] = from[i]. Either may be mapped host memory.
const void* copy_kernel();

/// to[i] = 0.
const void* clear_kernel();

/// Launches of them on `count` words, at least 1, best aligned to 16 bytes.
KernelLaunch copy_launch(const std::uint32_t* from, std::uint32_t* to, std::uint64_t count);
KernelLaunch clear_launch(std::uint32_t* to, std::uint64_t count);

}  // namespace trilane
