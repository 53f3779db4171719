// Alternate iterations use alternate buffers, and a kernel's argument counts.
#include "planted_app.hpp"

int main(int argc, char** argv) {
  std::uint32_t *in = pinned(), *out = pinned();
  std::uint32_t* a[2] = {on_device(), on_device()};
  std::uint32_t* b = on_device();
  cudaStream_t stream = new_stream();
  Checksum checksum;
  fill(in, 3);
  for (int i = 0; i < iterations(argc, argv); ++i) {
    CHECK(cudaMemcpyAsync(a[i % 2], in, bytes, cudaMemcpyHostToDevice, stream));
    launch_mix(a[i % 2], b, stream, static_cast<std::uint32_t>(i));
    CHECK(cudaMemcpyAsync(out, b, bytes, cudaMemcpyDeviceToHost, stream));
    CHECK(cudaStreamSynchronize(stream));
    checksum.add(out, 16);
  }
  checksum.add(out);
  checksum.print();
}
