// Frees host memory as soon as the copy from it was issued, as is legal for pageable memory.
#include "planted_app.hpp"

int main(int argc, char** argv) {
  std::uint32_t *out = pinned(), *a = on_device(), *b = on_device();
  cudaStream_t stream = new_stream();
  Checksum checksum;
  for (int i = 0; i < iterations(argc, argv); ++i) {
    auto* in = static_cast<std::uint32_t*>(std::malloc(bytes));
    fill(in, static_cast<std::uint32_t>(i));
    CHECK(cudaMemcpyAsync(a, in, bytes, cudaMemcpyHostToDevice, stream));
    std::free(in);
    launch_mix(a, b, stream);
    CHECK(cudaMemcpyAsync(out, b, bytes, cudaMemcpyDeviceToHost, stream));
    CHECK(cudaStreamSynchronize(stream));
    checksum.add(out, 16);
  }
  checksum.add(out);
  checksum.print();
}
