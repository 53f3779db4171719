// The legacy default stream beside two blocking streams, which it delays.
#include "planted_app.hpp"

int main(int argc, char** argv) {
  std::uint32_t *in = pinned(), *out = pinned();
  std::uint32_t *a = on_device(), *b = on_device(), *c = on_device();
  cudaStream_t first = new_stream(cudaStreamDefault), second = new_stream(cudaStreamDefault);
  Checksum checksum;
  fill(in, 13);
  for (int i = 0; i < iterations(argc, argv); ++i) {
    CHECK(cudaMemcpyAsync(a, in, bytes, cudaMemcpyHostToDevice, first));
    launch_mix(a, b, nullptr);
    launch_mix(b, c, second);
    CHECK(cudaMemcpyAsync(out, c, bytes, cudaMemcpyDeviceToHost, second));
    CHECK(cudaDeviceSynchronize());
    checksum.add(out, 16);
  }
  checksum.add(out);
  checksum.print();
}
