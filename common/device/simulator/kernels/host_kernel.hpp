// Kernels as host functions, which the simulated device runs instead of device code.
#pragma once

#include <cuda_runtime_api.h>

#include <functional>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "common/device/simulator/operations/device_operation.hpp"

namespace trilane::simulator {

/// What a launch does, from a copy of its arguments. `work` may throw Refusal with an error on the
/// device, which is sticky.
struct HostLaunch {
  std::vector<Access> accesses;
  KernelSize size;
  std::function<void()> work;
};

struct HostKernel {
  std::string name;
  /// `arguments`: pointers to the parameters, valid during the call only.
  HostLaunch (*describe)(dim3 grid, dim3 block, void** arguments);
};

/// All parameters of a kernel, of these types.
template <typename... Values>
std::tuple<Values...> parameters(void** arguments) {
  return [arguments]<std::size_t... at>(std::index_sequence<at...>) {
    return std::tuple<Values...>{*static_cast<const Values*>(arguments[at])...};
  }
  (std::index_sequence_for<Values...>());
}

/// Registers the kernel behind `function`, as it is passed to cudaLaunchKernel. Must be a static
/// object, so that it is registered before main.
struct HostKernelRegistration {
  HostKernelRegistration(const void* function, HostKernel kernel);
};

/// The kernel behind a function. Throws Refusal (cudaErrorInvalidDeviceFunction) if there is none.
const HostKernel& kernel_of(const void* function);

}  // namespace trilane::simulator
