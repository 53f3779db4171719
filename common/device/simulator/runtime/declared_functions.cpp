// Kernels defined by their declared accesses and times.
#include "common/device/flavour/declared_kernel.hpp"
#include "common/device/simulator/kernels/host_kernel.hpp"

namespace trilane {

namespace {

using namespace simulator;

Touch touch_of(DeclaredTouch touch) {
  switch (touch) {
    case DeclaredTouch::reads: return Touch::read;
    case DeclaredTouch::writes: return Touch::write;
    case DeclaredTouch::both: break;
  }
  return Touch::read_write;
}

HostLaunch describe_declared(const DeclaredKernel& kernel, dim3 grid, void** arguments) {
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
}

}  // namespace

std::shared_ptr<const void> declare_kernel(const DeclaredKernel& kernel) {
  return std::make_shared<const HostKernel>(kernel.name,
                                            [kernel](dim3 grid, dim3, void** arguments) {
                                              return describe_declared(kernel, grid, arguments);
                                            });
}

}  // namespace trilane
