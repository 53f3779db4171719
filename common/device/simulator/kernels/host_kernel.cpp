#include "common/device/simulator/kernels/host_kernel.hpp"

#include <set>

#include "common/device/simulator/machine/machine.hpp"

namespace trilane::simulator {

namespace {

/// A local static, because other files make kernels before main, in any order.
std::set<const void*>& kernels() {
  static std::set<const void*> kernels;
  return kernels;
}

}  // namespace

HostKernel::HostKernel(const char* name_, Describe describe_) : name(name_), describe(describe_) {
  kernels().insert(this);
}

const HostKernel& kernel_of(const void* function) {
  require(kernels().contains(function), cudaErrorInvalidDeviceFunction);
  return *static_cast<const HostKernel*>(function);
}

}  // namespace trilane::simulator
