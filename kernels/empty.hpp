// Kernels that do nothing and take no arguments.
#pragma once

namespace trilane {

const void* empty_kernel();

/// Kernels that load_kernels() omits, so that the first launch of each has to load it.
inline constexpr int unloaded_kernels = 64;

/// Returns one of them, from 0.
const void* unloaded_kernel(int number);

}  // namespace trilane
