// Kernels as host functions, which the simulated device runs instead of device code.
#pragma once

#include <cuda_runtime_api.h>

#include <boost/core/noncopyable.hpp>
#include <functional>
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

/// A kernel, whose address a launch passes as the function. Must be a static object, so that it is
/// known before main.
struct HostKernel : boost::noncopyable {
  /// `arguments`: pointers to the parameters, valid during the call only.
  using Describe = HostLaunch (*)(dim3 grid, dim3 block, void** arguments);

  HostKernel(const char* name_, Describe describe_);

  const char* name;
  Describe describe;
};

/// All parameters of a kernel, of these types.
template <typename... Values>
std::tuple<Values...> parameters(void** arguments) {
  return [arguments]<std::size_t... at>(std::index_sequence<at...>) {
    return std::tuple<Values...>{*static_cast<const Values*>(arguments[at])...};
  }
  (std::index_sequence_for<Values...>());
}

/// The kernel behind a function. Throws Refusal (cudaErrorInvalidDeviceFunction) if there is none.
const HostKernel& kernel_of(const void* function);

}  // namespace trilane::simulator
