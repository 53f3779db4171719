// Launches eight kernels that read each other's results, and waits. The second argument says how:
// - "off": one behind the other.
// - "attribute": with programmatic stream serialization, which nothing in the kernel waits for. The
//   bytes may be wrong then, so the checksum is that of the copied input.
// - "full": with it; each kernel lets the next one start, and waits for the one before.
// - "waits": with it; each kernel waits, and none lets the next one start.
#include <string>

#include "planted_app.hpp"

namespace {

template <bool triggers, bool waits>
__global__ void chained(const std::uint32_t* in, std::uint32_t* out) {
#if __CUDA_ARCH__ >= 900
  if (triggers) cudaTriggerProgrammaticLaunchCompletion();
  if (waits) cudaGridDependencySynchronize();
#endif
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = in[i] * 2654435761u + 1;
}

}  // namespace

int main(int argc, char** argv) {
  const std::string how = argc > 2 ? argv[2] : "off";
  const cudaStream_t stream = new_stream();
  std::uint32_t *in = pinned(), *out = pinned(), *start = on_device(), *a = on_device(),
                *b = on_device();
  fill(in, 40);
  cudaLaunchAttribute attribute = {};
  attribute.id = cudaLaunchAttributeProgrammaticStreamSerialization;
  attribute.val.programmaticStreamSerializationAllowed = 1;
  cudaLaunchConfig_t config = {};
  config.gridDim = dim3(words / 256);
  config.blockDim = dim3(256);
  config.stream = stream;
  config.attrs = &attribute;
  config.numAttrs = how == "off" ? 0 : 1;
  const auto kernel = how == "full"    ? chained<true, true>
                      : how == "waits" ? chained<false, true>
                                       : chained<false, false>;
  Checksum checksum;
  for (int i = 0; i < iterations(argc, argv); ++i) {
    CHECK(cudaMemcpyAsync(start, in, bytes, cudaMemcpyHostToDevice, stream));
    const std::uint32_t* from = start;
    for (int k = 0; k < 8; ++k) {
      std::uint32_t* const to = k % 2 == 0 ? a : b;
      CHECK(cudaLaunchKernelEx(&config, kernel, from, to));
      from = to;
    }
    CHECK(cudaMemcpyAsync(out, how == "attribute" ? start : from, bytes, cudaMemcpyDeviceToHost,
                          stream));
    CHECK(cudaStreamSynchronize(stream));
    checksum.add(out, 16);
  }
  checksum.print();
}
