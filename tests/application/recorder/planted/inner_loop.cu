// Each iteration begins with a loop of its own, long enough to be taken for the iteration, and
// continues with another call.
#include "planted_app.hpp"

int main(int argc, char** argv) {
  std::uint32_t *in = pinned(), *out = pinned(), *a = on_device(), *b = on_device();
  cudaStream_t stream = new_stream();
  cudaEvent_t event = new_event();
  Checksum checksum;
  fill(in, 1);
  for (int i = 0; i < iterations(argc, argv); ++i) {
    for (std::uint32_t step = 0; step < 8; ++step) {
      CHECK(cudaMemcpyAsync(a, in, bytes, cudaMemcpyHostToDevice, stream));
      launch_mix(a, b, stream, step);
      CHECK(cudaMemcpyAsync(out, b, bytes, cudaMemcpyDeviceToHost, stream));
      CHECK(cudaEventRecord(event, stream));
      CHECK(cudaStreamSynchronize(stream));
    }
    CHECK(cudaEventRecord(event, stream));
    CHECK(cudaEventSynchronize(event));
    checksum.add(out, 16);
  }
  checksum.add(out);
  checksum.print();
}
