// Two streams, ordered by events, with copies from and to pinned memory.
#include "planted_app.hpp"

int main(int argc, char** argv) {
  std::uint32_t *in = pinned(), *out = pinned(), *a = on_device(), *b = on_device();
  cudaStream_t first = new_stream(), second = new_stream();
  cudaEvent_t here = new_event(), there = new_event();
  Checksum checksum;
  fill(in, 1);
  for (int i = 0; i < iterations(argc, argv); ++i) {
    in[0] = static_cast<std::uint32_t>(i);
    CHECK(cudaMemcpyAsync(a, in, bytes, cudaMemcpyHostToDevice, first));
    CHECK(cudaMemsetAsync(b, 0, bytes, second));
    CHECK(cudaEventRecord(here, first));
    CHECK(cudaStreamWaitEvent(second, here, 0));
    launch_mix(a, b, second);
    CHECK(cudaMemcpyAsync(out, b, bytes, cudaMemcpyDeviceToHost, second));
    CHECK(cudaEventRecord(there, second));
    CHECK(cudaStreamWaitEvent(first, there, 0));
    CHECK(cudaStreamSynchronize(first));
    checksum.add(out, 16);
  }
  checksum.add(out);
  checksum.print();
}
