// Managed memory, allocated before the loop, that a kernel uses in it.
#include "planted_app.hpp"

int main(int argc, char** argv) {
  std::uint32_t *in = pinned(), *out = pinned(), *a = on_device();
  void* memory = nullptr;
  CHECK(cudaMallocManaged(&memory, bytes));
  auto* const moves = static_cast<std::uint32_t*>(memory);
  cudaStream_t stream = new_stream();
  Checksum checksum;
  fill(in, 31);
  for (int i = 0; i < iterations(argc, argv); ++i) {
    CHECK(cudaMemcpyAsync(a, in, bytes, cudaMemcpyHostToDevice, stream));
    launch_mix(a, moves, stream);
    CHECK(cudaMemcpyAsync(out, moves, bytes, cudaMemcpyDefault, stream));
    CHECK(cudaStreamSynchronize(stream));
    checksum.add(out, 16);
  }
  checksum.add(out);
  checksum.print();
}
