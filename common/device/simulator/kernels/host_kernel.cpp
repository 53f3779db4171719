#include "common/device/simulator/kernels/host_kernel.hpp"

#include <map>

#include "common/device/simulator/machine/machine.hpp"

namespace trilane::simulator {

namespace {

/// A local static, because other files register kernels before main, in any order.
std::map<const void*, HostKernel>& kernels() {
  static std::map<const void*, HostKernel> kernels;
  return kernels;
}

}  // namespace

HostKernelRegistration::HostKernelRegistration(const void* function, HostKernel kernel) {
  kernels().insert_or_assign(function, std::move(kernel));
}

const HostKernel& kernel_of(const void* function) {
  const auto found = kernels().find(function);
  if (found == kernels().end()) refuse(cudaErrorInvalidDeviceFunction);
  return found->second;
}

}  // namespace trilane::simulator
