// Each iteration is an NVTX range with another number of kernels, so that nothing repeats. With
// "start" the ranges are started and ended instead of pushed and popped. With "equal" they have
// three kernels each, and the calls between them do not repeat.
#include <nvtx3/nvToolsExt.h>

#include <cstring>

#include "planted_app.hpp"

int main(int argc, char** argv) {
  std::uint32_t *in = pinned(), *out = pinned(), *a = on_device(), *b = on_device();
  cudaStream_t stream = new_stream();
  Checksum checksum;
  fill(in, 14);
  const bool starts = argc > 2 && std::strcmp(argv[2], "start") == 0;
  const bool equal = argc > 2 && std::strcmp(argv[2], "equal") == 0;
  for (int i = 0; i < iterations(argc, argv); ++i) {
    nvtxRangePushA("outer");
    nvtxRangeId_t range = 0;
    if (starts) {
      range = nvtxRangeStartA("step");
    } else {
      nvtxRangePushA("step");
    }
    CHECK(cudaMemcpyAsync(a, in, bytes, cudaMemcpyHostToDevice, stream));
    for (int k = 0; k <= (equal ? 2 : i * i % 17); ++k) launch_mix(a, b, stream);
    CHECK(cudaMemcpyAsync(out, b, bytes, cudaMemcpyDeviceToHost, stream));
    CHECK(cudaStreamSynchronize(stream));
    if (starts) {
      nvtxRangeEnd(range);
    } else {
      nvtxRangePop();
    }
    nvtxRangePop();
    for (int k = 0; equal && k <= i * i % 17; ++k) launch_mix(a, b, stream);
    CHECK(cudaStreamSynchronize(stream));
    checksum.add(out, 16);
  }
  checksum.print();
}
