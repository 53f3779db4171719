// Two host threads, each with its own stream.
#include <thread>

#include "planted_app.hpp"

namespace {

void work(std::uint32_t seed, int count, Checksum* checksum) {
  std::uint32_t *in = pinned(), *out = pinned(), *a = on_device(), *b = on_device();
  cudaStream_t stream = new_stream();
  fill(in, seed);
  for (int i = 0; i < count; ++i) {
    CHECK(cudaMemcpyAsync(a, in, bytes, cudaMemcpyHostToDevice, stream));
    launch_mix(a, b, stream);
    CHECK(cudaMemcpyAsync(out, b, bytes, cudaMemcpyDeviceToHost, stream));
    CHECK(cudaStreamSynchronize(stream));
    checksum->add(out, 16);
  }
}

}  // namespace

int main(int argc, char** argv) {
  Checksum one, other;
  std::thread thread(work, 1u, iterations(argc, argv), &one);
  work(2, iterations(argc, argv), &other);
  thread.join();
  one.print();
  other.print();
}
