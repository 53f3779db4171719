// Launches of kernels and of host functions.
#include "common/device/simulator/kernels/host_kernel.hpp"
#include "common/device/simulator/kernels/tasks.hpp"
#include "common/device/simulator/machine/call.hpp"
#include "common/device/simulator/machine/capture.hpp"

using namespace trilane;
using namespace trilane::simulator;

namespace {

/// Returns true if the launch permits programmatic serialisation: the kernel may start before the
/// previous one in the stream ends. Running them in order is always right; what the kernel does
/// before it waits is not checked.
bool may_overlap(const cudaLaunchConfig_t& config) {
  if (config.attrs == nullptr && config.numAttrs > 0) refuse(cudaErrorInvalidValue);
  bool allowed = false;
  for (unsigned i = 0; i < config.numAttrs; ++i) {
    const cudaLaunchAttributeID id = config.attrs[i].id;
    if (id == cudaLaunchAttributeIgnore) continue;
    if (id != cudaLaunchAttributeProgrammaticStreamSerialization) {
      refuse_not_modelled("this attribute of cudaLaunchKernelExC");
    }
    allowed = config.attrs[i].val.programmaticStreamSerializationAllowed != 0;
  }
  return allowed;
}

}  // namespace

cudaError_t CUDARTAPI cudaLaunchKernel(const void* function, dim3 grid, dim3 block,
                                       void** arguments, size_t shared_bytes, cudaStream_t stream) {
  return call([&](Machine& m) {
    m.enqueue(kernel_task(m, function, grid, block, shared_bytes, arguments), stream_of(m, stream));
  });
}

cudaError_t CUDARTAPI cudaLaunchKernelExC(const cudaLaunchConfig_t* config, const void* function,
                                          void** arguments) {
  return call([&](Machine& m) {
    require(config != nullptr);
    const bool overlaps = may_overlap(*config);
    CUstream_st& stream = stream_of(m, config->stream);
    m.enqueue(kernel_task(m, function, config->gridDim, config->blockDim, config->dynamicSmemBytes,
                          arguments),
              stream);
    if (overlaps && stream.capture) let_overlap(stream);
  });
}

cudaError_t CUDARTAPI cudaLaunchHostFunc(cudaStream_t stream, cudaHostFn_t function, void* data) {
  return call([&](Machine& m) {
    require(function != nullptr);
    m.enqueue(
        {.kind = Kind::host_function, .name = "host function", .work = [=] { function(data); }},
        stream_of(m, stream));
  });
}

cudaError_t CUDARTAPI cudaFuncGetAttributes(cudaFuncAttributes* attributes, const void* function) {
  return answer(attributes, [&](Machine& m) {
    kernel_of(function);
    cudaFuncAttributes known{};
    known.maxThreadsPerBlock = 1024;
    const Profile& profile = m.settings.profile;
    known.binaryVersion = known.ptxVersion = profile.compute_major * 10 + profile.compute_minor;
    return known;
  });
}
