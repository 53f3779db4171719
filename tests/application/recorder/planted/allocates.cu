// Allocates and frees device memory in each iteration. The second argument selects how:
// - none: outside stream order;
// - "async": in stream order;
// - "behind": in stream order, after the wait;
// - "later": the same, in the next iteration.
#include <cstring>
#include <utility>

#include "planted_app.hpp"

int main(int argc, char** argv) {
  std::uint32_t *in = pinned(), *out = pinned();
  cudaStream_t stream = new_stream();
  Checksum checksum;
  fill(in, 12);
  const auto is = [&](const char* how) { return argc > 2 && std::strcmp(argv[2], how) == 0; };
  const bool later = is("later"), behind = later || is("behind"), async = behind || is("async");
  void *kept_a = nullptr, *kept_b = nullptr;
  for (int i = 0; i < iterations(argc, argv); ++i) {
    void *a = nullptr, *b = nullptr;
    CHECK(async ? cudaMallocAsync(&a, bytes, stream) : cudaMalloc(&a, bytes));
    CHECK(async ? cudaMallocAsync(&b, bytes, stream) : cudaMalloc(&b, bytes));
    CHECK(cudaMemcpyAsync(a, in, bytes, cudaMemcpyHostToDevice, stream));
    launch_mix(static_cast<std::uint32_t*>(a), static_cast<std::uint32_t*>(b), stream);
    CHECK(cudaMemcpyAsync(out, b, bytes, cudaMemcpyDeviceToHost, stream));
    if (behind) CHECK(cudaStreamSynchronize(stream));
    if (later) {
      std::swap(a, kept_a);
      std::swap(b, kept_b);
    }
    if (a != nullptr) CHECK(async ? cudaFreeAsync(a, stream) : cudaFree(a));
    if (b != nullptr) CHECK(async ? cudaFreeAsync(b, stream) : cudaFree(b));
    if (!behind) CHECK(cudaStreamSynchronize(stream));
    checksum.add(out, 16);
  }
  checksum.add(out);
  checksum.print();
}
