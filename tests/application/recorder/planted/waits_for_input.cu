// Works once for each line of its input.
#include "planted_app.hpp"

int main() {
  std::uint32_t *in = pinned(), *out = pinned(), *a = on_device(), *b = on_device();
  cudaStream_t stream = new_stream();
  Checksum checksum;
  fill(in, 11);
  char line[80];
  while (std::fgets(line, sizeof line, stdin) != nullptr) {
    CHECK(cudaMemcpyAsync(a, in, bytes, cudaMemcpyHostToDevice, stream));
    launch_mix(a, b, stream, static_cast<std::uint32_t>(std::atoi(line)));
    CHECK(cudaMemcpyAsync(out, b, bytes, cudaMemcpyDeviceToHost, stream));
    CHECK(cudaStreamSynchronize(stream));
    checksum.add(out, 16);
  }
  checksum.print();
}
