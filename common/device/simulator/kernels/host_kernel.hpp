// Kernels as host functions: what the simulated device runs in the place of device code.
#pragma once

#include <cuda_runtime_api.h>

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

#include "common/device/simulator/operations/device_operation.hpp"

namespace trilane::simulator {

/// What one launch does, worked out from its arguments (copied when it was launched). `work` may
/// throw Refusal with an error that the kernel runs into on the device; it stays.
struct HostLaunch {
  std::vector<Access> accesses;
  KernelSize size;
  std::function<void()> work;
};

struct HostKernel {
  std::string name;
  std::vector<std::size_t> parameter_bytes;
  /// `arguments`: pointers to the parameters, valid during the call only.
  HostLaunch (*describe)(dim3 grid, dim3 block, void** arguments);
};

/// Parameter `index` of a kernel, whose type is `Value`.
template <typename Value>
Value argument(void** arguments, std::size_t index) {
  return *static_cast<const Value*>(arguments[index]);
}

/// Registers the kernel that `function`, as given to cudaLaunchKernel, stands for. An object of
/// static storage; registered before main.
struct HostKernelRegistration {
  HostKernelRegistration(const void* function, HostKernel kernel);
};

/// The kernel behind a function. Throws Refusal (cudaErrorInvalidDeviceFunction) where there is
/// none.
const HostKernel& kernel_of(const void* function);

}  // namespace trilane::simulator
