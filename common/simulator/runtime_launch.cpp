// Launches: kernels, for which host functions stand, and the program's own host functions.
#include <utility>

#include "common/simulator/call.hpp"
#include "common/simulator/host_kernel.hpp"

namespace trilane::simulator {

namespace {

const HostKernel& kernel_of(const void* function) {
  const HostKernel* kernel = find_host_kernel(function);
  if (kernel == nullptr) refuse(cudaErrorInvalidDeviceFunction);
  return *kernel;
}

bool is_within(dim3 size, dim3 most) {
  return size.x >= 1 && size.x <= most.x && size.y >= 1 && size.y <= most.y && size.z >= 1 &&
         size.z <= most.z;
}

/// CUDA Programming Guide, "Technical Specifications per Compute Capability".
void check_configuration(dim3 grid, dim3 block, std::size_t shared_bytes) {
  const bool right = is_within(grid, {2147483647u, 65535u, 65535u}) &&
                     is_within(block, {1024u, 1024u, 64u}) && block.x * block.y * block.z <= 1024;
  if (!right) refuse(cudaErrorInvalidConfiguration);
  if (shared_bytes > 49152) refuse(cudaErrorInvalidValue);  // more must be asked for beforehand
}

}  // namespace

}  // namespace trilane::simulator

using namespace trilane::simulator;

cudaError_t CUDARTAPI cudaLaunchKernel(const void* function, dim3 grid, dim3 block,
                                       void** arguments, size_t shared_bytes, cudaStream_t stream) {
  return call("cudaLaunchKernel", [&](Machine& m) {
    const HostKernel& kernel = kernel_of(function);
    check_configuration(grid, block, shared_bytes);
    if (arguments == nullptr && !kernel.parameter_bytes.empty()) refuse(cudaErrorInvalidValue);
    HostLaunch launch = kernel.describe(grid, block, arguments);
    m.enqueue({.kind = trilane::Kind::kernel,
               .name = kernel.name,
               .accesses = std::move(launch.accesses),
               .work = std::move(launch.work),
               .kernel = launch.size},
              stream);
  });
}

cudaError_t CUDARTAPI cudaLaunchHostFunc(cudaStream_t stream, cudaHostFn_t function, void* data) {
  return call("cudaLaunchHostFunc", [&](Machine& m) {
    if (function == nullptr) refuse(cudaErrorInvalidValue);
    m.enqueue({.kind = trilane::Kind::host_function,
               .name = "host function",
               .accesses = {},
               .work = [=] { function(data); },
               .kernel = {}},
              stream);
  });
}

cudaError_t CUDARTAPI cudaFuncGetAttributes(cudaFuncAttributes* attributes, const void* function) {
  return call("cudaFuncGetAttributes", [&](Machine& m) {
    if (attributes == nullptr) refuse(cudaErrorInvalidValue);
    kernel_of(function);
    *attributes = {};
    attributes->maxThreadsPerBlock = 1024;
    const trilane::Profile& profile = m.settings.profile;
    attributes->binaryVersion = profile.compute_major * 10 + profile.compute_minor;
    attributes->ptxVersion = attributes->binaryVersion;
  });
}
