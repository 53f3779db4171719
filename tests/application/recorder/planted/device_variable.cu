// A kernel that counts its launches in a variable of its module, and adds the count to its output.
// Another one of the module prints; it is launched only with a second argument.
#include "planted_app.hpp"

__device__ std::uint32_t launches;
__constant__ std::uint32_t step;

__global__ static void count(const std::uint32_t* in, std::uint32_t* out, int count) {
  const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (i < count) out[i] = in[i] + launches;
}
__global__ static void counted() { launches += step; }
__global__ static void counted_aloud() {
  if (launches == 0) printf("first launch\n");
  launches += step;
}

int main(int argc, char** argv) {
  std::uint32_t *in = pinned(), *out = pinned(), *a = on_device(), *b = on_device();
  cudaStream_t stream = new_stream();
  void (*const counts)() = argc > 2 ? counted_aloud : counted;
  Checksum checksum;
  fill(in, 23);
  const std::uint32_t three = 3;
  CHECK(cudaMemcpyToSymbol(step, &three, sizeof three));
  for (int i = 0; i < iterations(argc, argv); ++i) {
    CHECK(cudaMemcpyAsync(a, in, bytes, cudaMemcpyHostToDevice, stream));
    count<<<words / 256, 256, 0, stream>>>(a, b, words);
    counts<<<1, 1, 0, stream>>>();
    CHECK(cudaMemcpyAsync(out, b, bytes, cudaMemcpyDeviceToHost, stream));
    CHECK(cudaStreamSynchronize(stream));
    checksum.add(out, 16);
  }
  std::uint32_t all = 0;
  CHECK(cudaMemcpyFromSymbol(&all, launches, sizeof all));
  checksum.add(out);
  checksum.print();
  std::printf("counted %u\n", all);
}
