// One kernel launch: the function, its grid and blocks, and its arguments.
#pragma once

#include <driver_types.h>
#include <vector_types.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>

namespace trilane {

/// For cudaLaunchKernel or cudaKernelNodeParams. A value: copies are independent.
class KernelLaunch {
 public:
  static constexpr std::size_t most_arguments = 24;

  /// `arguments` are numbers and pointers of at most 8 bytes, in the kernel's order and types.
  template <typename... Arguments>
  KernelLaunch(const void* function_, dim3 grid_, dim3 block_, Arguments... arguments)
      : function(function_), grid(grid_), block(block_) {
    static_assert(sizeof...(Arguments) <= most_arguments);
    static_assert(((sizeof(Arguments) <= sizeof(std::uint64_t)) && ...));
    std::size_t next = 0;
    (std::memcpy(&values_[next++], &arguments, sizeof arguments), ...);
  }

  /// Makes one from the bytes of each argument, in the low bytes of a word.
  static KernelLaunch of_words(const void* function, dim3 grid, dim3 block, unsigned shared_bytes,
                               std::span<const std::uint64_t> arguments) {
    KernelLaunch launch(function, grid, block);
    launch.shared_bytes = shared_bytes;
    for (std::size_t i = 0; i < arguments.size(); ++i) launch.values_[i] = arguments[i];
    return launch;
  }

  /// Returns pointers to the arguments and to unused slots, valid until this object is moved or
  /// destroyed.
  std::array<void*, most_arguments> arguments() {
    std::array<void*, most_arguments> pointers{};
    for (std::size_t i = 0; i < most_arguments; ++i) pointers[i] = &values_[i];
    return pointers;
  }

  const void* function;
  dim3 grid, block;
  unsigned shared_bytes = 0;  ///< dynamic shared memory

 private:
  std::array<std::uint64_t, most_arguments> values_{};
};

/// Loads all kernels except the unloaded ones of kernels/empty.hpp onto the current device.
/// Otherwise loading is lazy, and a kernel's first launch takes longer. Returns the first error.
cudaError_t load_kernels();

}  // namespace trilane
