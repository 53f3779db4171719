// Copies from and to pageable memory, which block.
#include "planted_app.hpp"

int main(int argc, char** argv) {
  std::vector<std::uint32_t> in(words), out(words);
  std::uint32_t *a = on_device(), *b = on_device();
  cudaStream_t stream = new_stream();
  Checksum checksum;
  fill(in.data(), 2);
  for (int i = 0; i < iterations(argc, argv); ++i) {
    in[0] = static_cast<std::uint32_t>(i);
    CHECK(cudaMemcpyAsync(a, in.data(), bytes, cudaMemcpyHostToDevice, stream));
    launch_mix(a, b, stream);
    CHECK(cudaMemcpyAsync(out.data(), b, bytes, cudaMemcpyDeviceToHost, stream));
    CHECK(cudaStreamSynchronize(stream));
    checksum.add(out.data(), 16);
  }
  checksum.add(out.data());
  checksum.print();
}
