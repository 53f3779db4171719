// Copies and memsets done by kernels instead of copy engines and memset.
#pragma once

#include <cstdint>

#include "kernels/launch.hpp"

namespace trilane {

/// Returns the kernel that copies the bytes of `from` into `to`. Either may be mapped host memory.
const void* copy_kernel();

/// Returns the kernel that sets every byte of `to` to one value.
const void* clear_kernel();

/// Return launches of these kernels on `bytes`, at least 1. Alignment to 16 bytes is fastest, then
/// to 4.
KernelLaunch copy_launch(const void* from, void* to, std::uint64_t bytes);
KernelLaunch clear_launch(void* to, std::uint64_t bytes, std::uint8_t value = 0);

}  // namespace trilane
