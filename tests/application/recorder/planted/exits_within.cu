// Ends with code 7 in the middle of an iteration, while the device works.
#include "planted_app.hpp"

int main(int argc, char** argv) {
  std::uint32_t *in = pinned(), *out = pinned(), *a = on_device(), *b = on_device();
  cudaStream_t stream = new_stream();
  Checksum checksum;
  fill(in, 10);
  const int all = iterations(argc, argv);
  for (int i = 0;; ++i) {
    CHECK(cudaMemcpyAsync(a, in, bytes, cudaMemcpyHostToDevice, stream));
    launch_mix(a, b, stream);
    if (i == all) {
      checksum.print();
      std::exit(7);
    }
    CHECK(cudaMemcpyAsync(out, b, bytes, cudaMemcpyDeviceToHost, stream));
    CHECK(cudaStreamSynchronize(stream));
    checksum.add(out, 16);
  }
}
