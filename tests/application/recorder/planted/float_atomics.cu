// Sums floats in an order that differs between runs, so the last bits differ, too. Prints only the
// digits that do not.
#include "planted_app.hpp"

__global__ static void sum(const std::uint32_t* in, float* total, int count) {
  const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (i < count) atomicAdd(total, 1.0f / static_cast<float>(1 + in[i] % 1000));
}

int main(int argc, char** argv) {
  std::uint32_t *in = pinned(), *a = on_device();
  float *total = reinterpret_cast<float*>(on_device()),
        *result = reinterpret_cast<float*>(pinned());
  cudaStream_t stream = new_stream();
  fill(in, 4);
  for (int i = 0; i < iterations(argc, argv); ++i) {
    CHECK(cudaMemcpyAsync(a, in, bytes, cudaMemcpyHostToDevice, stream));
    CHECK(cudaMemsetAsync(total, 0, sizeof *total, stream));
    sum<<<words / 256, 256, 0, stream>>>(a, total, words);
    CHECK(cudaMemcpyAsync(result, total, sizeof *result, cudaMemcpyDeviceToHost, stream));
    CHECK(cudaStreamSynchronize(stream));
  }
  std::printf("checksum %.2g\n", static_cast<double>(*result));
}
