#include "common/device/simulator/kernels/host_kernel.hpp"

#include <mutex>
#include <set>

#include "common/device/simulator/machine/machine.hpp"

namespace trilane::simulator {

namespace {

struct Known {
  std::mutex mutex;  // kernels also come and go outside runtime calls
  std::set<const void*> kernels;
};

/// Returns a local static, because other files make kernels before main, in any order.
Known& known() {
  static Known known;
  return known;
}

}  // namespace

HostKernel::HostKernel(std::string name_, Describe describe_)
    : name(std::move(name_)), describe(std::move(describe_)) {
  const std::lock_guard lock(known().mutex);
  known().kernels.insert(this);
}

HostKernel::~HostKernel() {
  const std::lock_guard lock(known().mutex);
  known().kernels.erase(this);
}

const HostKernel& kernel_of(const void* function) {
  const std::lock_guard lock(known().mutex);
  require(known().kernels.contains(function), cudaErrorInvalidDeviceFunction);
  return *static_cast<const HostKernel*>(function);
}

}  // namespace trilane::simulator
