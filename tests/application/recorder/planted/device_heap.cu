// A kernel allocates on the device's heap. Another one, which does not, counts in that memory and
// adds the count to its output.
#include "planted_app.hpp"

__device__ std::uint32_t* launches;

__global__ static void allocate() {
  launches = static_cast<std::uint32_t*>(malloc(sizeof *launches));
  *launches = 0;
}
__global__ static void count(const std::uint32_t* in, std::uint32_t* out, int count) {
  const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (i < count) out[i] = in[i] + *launches;
}
__global__ static void counted() { *launches += 1; }

int main(int argc, char** argv) {
  std::uint32_t *in = pinned(), *out = pinned(), *a = on_device(), *b = on_device();
  cudaStream_t stream = new_stream();
  Checksum checksum;
  fill(in, 29);
  allocate<<<1, 1, 0, stream>>>();
  for (int i = 0; i < iterations(argc, argv); ++i) {
    CHECK(cudaMemcpyAsync(a, in, bytes, cudaMemcpyHostToDevice, stream));
    count<<<words / 256, 256, 0, stream>>>(a, b, words);
    counted<<<1, 1, 0, stream>>>();
    CHECK(cudaMemcpyAsync(out, b, bytes, cudaMemcpyDeviceToHost, stream));
    CHECK(cudaStreamSynchronize(stream));
    checksum.add(out, 16);
  }
  checksum.add(out);
  checksum.print();
}
