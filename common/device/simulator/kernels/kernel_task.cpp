#include <algorithm>
#include <utility>

#include "common/device/simulator/kernels/host_kernel.hpp"
#include "common/device/simulator/kernels/tasks.hpp"

namespace trilane::simulator {

namespace {

bool is_within(dim3 size, dim3 most) {
  return size.x >= 1 && size.x <= most.x && size.y >= 1 && size.y <= most.y && size.z >= 1 &&
         size.z <= most.z;
}

/// Checks grid, block and shared memory by the CUDA Programming Guide, "Technical Specifications
/// per Compute Capability".
void check_configuration(dim3 grid, dim3 block, std::size_t shared_bytes, cudaError_t wrong) {
  const bool right = is_within(grid, {2147483647u, 65535u, 65535u}) &&
                     is_within(block, {1024u, 1024u, 64u}) && block.x * block.y * block.z <= 1024;
  if (!right) refuse(wrong);
  if (shared_bytes > 49152) refuse(cudaErrorInvalidValue);  // more needs cudaFuncSetAttribute
}

/// Returns the part of all threads that fit on the SMs. CUDA Programming Guide, "Technical
/// Specifications per Compute Capability": 2048 per SM at 9.0; others have room for equally many or
/// somewhat fewer.
double share_of(dim3 grid, dim3 block, int multiprocessors) {
  constexpr double threads_of_sm = 2048;
  const double threads = double{1} * grid.x * grid.y * grid.z * block.x * block.y * block.z;
  return std::min(1.0, threads / (threads_of_sm * multiprocessors));
}

}  // namespace

Task kernel_task(const Machine& m, const void* function, dim3 grid, dim3 block,
                 std::size_t shared_bytes, void** arguments, cudaError_t wrong) {
  const HostKernel& kernel = kernel_of(function);
  check_configuration(grid, block, shared_bytes, wrong);
  require(arguments != nullptr);
  HostLaunch launch = kernel.describe(grid, block, arguments);
  const Traffic traffic = traffic_of(launch.accesses, m.memory);
  std::optional<DeclaredTime> declared;
  if (launch.declared_us) {
    const double share = share_of(grid, block, m.settings.profile.multiprocessors);
    declared = {*launch.declared_us, share};
  }
  return {.kind = Kind::kernel,
          .name = kernel.name,
          .accesses = std::move(launch.accesses),
          .work = std::move(launch.work),
          .kernel = launch.size,
          .declared = declared,
          .traffic = traffic};
}

Traffic traffic_of(const std::vector<Access>& accesses, const Memory& memory) {
  Traffic traffic;
  for (const Access& access : accesses) {
    const bool reads = access.touch != Touch::write, writes = access.touch != Touch::read;
    const Block block = memory.find(reinterpret_cast<const void*>(access.range.begin));
    const bool on_device = is_on_device(block.place);
    if (reads) (on_device ? traffic.device : traffic.in) += access.bytes();
    if (writes) (on_device ? traffic.device : traffic.out) += access.bytes();
  }
  return traffic;
}

}  // namespace trilane::simulator
