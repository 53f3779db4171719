// The seam for kernels of which only the accesses and the time are known. Defined in
// cuda/cuda_flavour.cpp and simulator/seam/declared_functions.cpp.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace trilane {

enum class DeclaredTouch : std::uint8_t { reads, writes, both };

/// A kernel touches the first `bytes` bytes behind one of its pointers.
struct DeclaredAccess {
  std::size_t argument = 0;  ///< index of the pointer among the kernel's parameters, from 0
  std::uint64_t bytes = 0;   ///< of each launch
  DeclaredTouch touch = DeclaredTouch::both;
};

/// A kernel that the simulated device does not run, and only times and checks.
struct DeclaredKernel {
  std::string name;                      ///< for reports and traces
  std::vector<DeclaredAccess> accesses;  ///< all that it reads or writes
  double time_us = 0;                    ///< of one launch alone on the device; 0 or more
};

/// A function for cudaLaunchKernel and for kernel nodes, known to the runtime while the pointer
/// lives; nodes that were made from it work without it. A launch leaves memory as it is, but counts
/// as the accesses that were declared. It takes `time_us`, or longer over the link if it touches
/// mapped host memory. Beside other kernels it takes the share of the SMs that its threads have of
/// all that fit on them. Throws std::logic_error on a GPU, which runs kernels.
std::shared_ptr<const void> declare_kernel(const DeclaredKernel& kernel);

}  // namespace trilane
