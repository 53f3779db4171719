// Kernels as host functions, which the simulated device runs instead of device code.
#pragma once

#include <cuda_runtime_api.h>

#include "common/device/simulator/operations/device_operation.hpp"

namespace trilane::simulator {

/// The work of a launch, from a copy of its arguments. `work` may throw Refusal, sticky.
struct HostLaunch {
  std::vector<Access> accesses{};
  KernelSize size;
  std::function<void()> work;  ///< may be empty
  /// The time alone on the device in microseconds, if `size` does not determine it.
  std::optional<double> declared_us{};
};

/// Registers a kernel while it lives; a launch passes its address as the function. Those of
/// kernels/ are static objects, so they are registered before main.
struct HostKernel : boost::noncopyable {
  /// `arguments`: pointers to the parameters, valid only during the call.
  using Describe = std::function<HostLaunch(dim3 grid, dim3 block, void** arguments)>;

  HostKernel(std::string name_, Describe describe_);
  ~HostKernel();

  const std::string name;
  const Describe describe;
};

/// Returns all parameters of a kernel, which have these types.
template <typename... Values>
std::tuple<Values...> parameters(void** arguments) {
  return [arguments]<std::size_t... at>(std::index_sequence<at...>) {
    return std::tuple<Values...>{*static_cast<const Values*>(arguments[at])...};
  }
  (std::index_sequence_for<Values...>());
}

/// Returns the kernel behind a function. Throws Refusal (cudaErrorInvalidDeviceFunction).
const HostKernel& kernel_of(const void* function);

}  // namespace trilane::simulator
