// A host function between two kernels.
#include "planted_app.hpp"

static void add_to(void* sum) { ++*static_cast<std::uint32_t*>(sum); }

int main(int argc, char** argv) {
  std::uint32_t *in = pinned(), *out = pinned(), *a = on_device(), *b = on_device();
  const cudaStream_t stream = new_stream();
  std::uint32_t sum = 0;
  Checksum checksum;
  fill(in, 6);
  for (int i = 0; i < iterations(argc, argv); ++i) {
    CHECK(cudaMemcpyAsync(a, in, bytes, cudaMemcpyHostToDevice, stream));
    launch_mix(a, b, stream);
    CHECK(cudaLaunchHostFunc(stream, add_to, &sum));
    launch_mix(b, a, stream);
    CHECK(cudaMemcpyAsync(out, a, bytes, cudaMemcpyDeviceToHost, stream));
    CHECK(cudaStreamSynchronize(stream));
    checksum.add(out, 16);
  }
  checksum.add(&sum, 1);
  checksum.print();
}
