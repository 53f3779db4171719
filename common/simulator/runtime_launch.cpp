// Launches: kernels, for which host functions stand, and the program's own host functions.
#include "common/simulator/call.hpp"
#include "common/simulator/host_kernel.hpp"
#include "common/simulator/tasks.hpp"

using namespace trilane::simulator;

cudaError_t CUDARTAPI cudaLaunchKernel(const void* function, dim3 grid, dim3 block,
                                       void** arguments, size_t shared_bytes, cudaStream_t stream) {
  return call("cudaLaunchKernel", [&](Machine& m) {
    m.enqueue(kernel_task(m, function, grid, block, shared_bytes, arguments,
                          cudaErrorInvalidConfiguration),
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
