// The seam for kernels of which only accesses and time are known. Defined by each flavour.
#pragma once

#include "common/std.hpp"

namespace trilane {

enum class DeclaredTouch : std::uint8_t { reads, writes, both };

/// An access to the first `bytes` bytes behind one of a kernel's pointers.
struct DeclaredAccess {
  std::size_t argument = 0;  ///< index of the pointer among the kernel's parameters, from 0
  std::uint64_t bytes = 0;   ///< in each launch
  DeclaredTouch touch = DeclaredTouch::both;
};

/// A kernel that the simulated device only times and checks, without running it.
struct DeclaredKernel {
  std::string name;                        ///< for reports and traces
  std::vector<DeclaredAccess> accesses{};  ///< everything that it reads or writes
  double time_us = 0;                      ///< of one launch alone on the device; not negative
};

/// Returns a function for cudaLaunchKernel and for kernel nodes, while the pointer lives; nodes
/// made from it work without it. A launch leaves memory unchanged, but counts as the declared
/// accesses. It takes `time_us`, or longer over the link if it touches mapped host memory. Its
/// share of the SMs is that of its threads. Throws std::logic_error on a GPU.
std::shared_ptr<const void> declare_kernel(const DeclaredKernel& kernel);

}  // namespace trilane
