// Copies and clears done by kernels instead of copy engines and memset.
#pragma once

#include <cstdint>

#include "kernels/launch.hpp"

namespace trilane {

/// to[i] = from[i]. Either may be mapped host memory.
const void* copy_kernel();

/// to[i] = 0.
const void* clear_kernel();

/// Launches of these kernels on `count` words, at least 1. Alignment to 16 bytes is fastest.
KernelLaunch copy_launch(const std::uint32_t* from, std::uint32_t* to, std::uint64_t count);
KernelLaunch clear_launch(std::uint32_t* to, std::uint64_t count);

}  // namespace trilane
