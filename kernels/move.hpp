// Copies and memsets done by kernels instead of copy engines and memset.
#pragma once

#include <cstdint>

#include "kernels/launch.hpp"

namespace trilane {

/// The bytes of `from` into `to`. Either may be mapped host memory.
const void* copy_kernel();

/// Every byte of `to` set to one value.
const void* clear_kernel();

/// Launches of these kernels on `bytes`, at least 1. Alignment to 16 bytes is fastest, then to 4.
KernelLaunch copy_launch(const void* from, void* to, std::uint64_t bytes);
KernelLaunch clear_launch(void* to, std::uint64_t bytes, std::uint8_t value = 0);

}  // namespace trilane
