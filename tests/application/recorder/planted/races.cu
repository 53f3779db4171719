// Two streams set the same bytes to the same value, without an order.
#include "planted_app.hpp"

int main(int argc, char** argv) {
  std::uint32_t *out = pinned(), *a = on_device();
  cudaStream_t first = new_stream(), second = new_stream();
  Checksum checksum;
  for (int i = 0; i < iterations(argc, argv); ++i) {
    CHECK(cudaMemsetAsync(a, 1, bytes, first));
    CHECK(cudaMemsetAsync(a, 1, bytes / 2, second));
    CHECK(cudaStreamSynchronize(second));
    CHECK(cudaMemcpyAsync(out, a, bytes, cudaMemcpyDeviceToHost, first));
    CHECK(cudaStreamSynchronize(first));
    checksum.add(out, 16);
  }
  checksum.add(out);
  checksum.print();
}
