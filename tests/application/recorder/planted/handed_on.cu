// Each iteration reads what the one before left in stream-ordered memory, and then frees it. The
// memory comes from a pool that was made current before the loop.
#include <utility>

#include "planted_app.hpp"

int main(int argc, char** argv) {
  cudaMemPoolProps properties{};
  properties.allocType = cudaMemAllocationTypePinned;
  properties.location.type = cudaMemLocationTypeDevice;
  cudaMemPool_t pool = nullptr;
  std::uint64_t keeps = UINT64_MAX;
  CHECK(cudaMemPoolCreate(&pool, &properties));
  CHECK(cudaMemPoolSetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &keeps));
  CHECK(cudaDeviceSetMemPool(0, pool));
  std::uint32_t *in = pinned(), *out = pinned();
  cudaStream_t stream = new_stream();
  Checksum checksum;
  fill(in, 42);
  void* last = nullptr;
  CHECK(cudaMallocAsync(&last, bytes, stream));
  CHECK(cudaMemcpyAsync(last, in, bytes, cudaMemcpyHostToDevice, stream));
  for (int i = 0; i < iterations(argc, argv); ++i) {
    void *scratch = nullptr, *next = nullptr;
    CHECK(cudaMallocAsync(&scratch, bytes, stream));
    launch_mix(static_cast<std::uint32_t*>(last), static_cast<std::uint32_t*>(scratch), stream);
    CHECK(cudaMallocAsync(&next, bytes, stream));
    launch_mix(static_cast<std::uint32_t*>(scratch), static_cast<std::uint32_t*>(next), stream, 9);
    CHECK(cudaFreeAsync(scratch, stream));
    CHECK(cudaFreeAsync(std::exchange(last, next), stream));
    CHECK(cudaMemcpyAsync(out, next, bytes, cudaMemcpyDeviceToHost, stream));
    CHECK(cudaStreamSynchronize(stream));
    checksum.add(out, 16);
  }
  checksum.add(out);
  checksum.print();
}
