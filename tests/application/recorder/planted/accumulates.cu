// A kernel that adds to its own output: a second run gives another result.
#include "planted_app.hpp"

__global__ static void add(const std::uint32_t* in, std::uint32_t* out, int count) {
  const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (i < count) out[i] += in[i];
}

int main(int argc, char** argv) {
  std::uint32_t *in = pinned(), *out = pinned(), *a = on_device(), *b = on_device();
  cudaStream_t stream = new_stream();
  Checksum checksum;
  fill(in, 5);
  CHECK(cudaMemset(b, 0, bytes));
  for (int i = 0; i < iterations(argc, argv); ++i) {
    CHECK(cudaMemcpyAsync(a, in, bytes, cudaMemcpyHostToDevice, stream));
    add<<<words / 256, 256, 0, stream>>>(a, b, words);
    CHECK(cudaMemcpyAsync(out, b, bytes, cudaMemcpyDeviceToHost, stream));
    CHECK(cudaStreamSynchronize(stream));
  }
  checksum.add(out);
  checksum.print();
}
