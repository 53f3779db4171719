#include "common/device/simulator/kernels/host_kernel.hpp"

#include "common/device/flavour/flavour.hpp"
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

Touch touch_of(DeclaredTouch touch) {
  switch (touch) {
    case DeclaredTouch::reads: return Touch::read;
    case DeclaredTouch::writes: return Touch::write;
    case DeclaredTouch::both: break;
  }
  return Touch::read_write;
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

namespace trilane {

std::shared_ptr<const void> declare_kernel(const DeclaredKernel& kernel) {
  using namespace simulator;
  const auto describe = [kernel](dim3 grid, dim3, void** arguments) {
    HostLaunch launch;
    std::uint64_t read_bytes = 0;
    for (const DeclaredAccess& access : kernel.accesses) {
      const void* const begin = *static_cast<const void* const*>(arguments[access.argument]);
      launch.accesses.push_back({range_of(begin, access.bytes), touch_of(access.touch)});
      if (access.touch != DeclaredTouch::writes) read_bytes += access.bytes;
    }
    // The host's time for a launch depends on the words.
    launch.size = {.words = read_bytes / sizeof(std::uint32_t),
                   .blocks = std::uint64_t{grid.x} * grid.y * grid.z};
    launch.declared_us = kernel.time_us;
    return launch;
  };
  return std::make_shared<const HostKernel>(kernel.name, describe);
}

}  // namespace trilane
