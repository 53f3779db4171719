// The host writes each iteration's input into pinned memory that the kernel itself reads.
#include "planted_app.hpp"

__global__ static void add(const std::uint32_t* in, const volatile std::uint32_t* salt,
                           std::uint32_t* out, int count) {
  const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (i < count) out[i] = in[i] + *salt;
}

int main(int argc, char** argv) {
  std::uint32_t *in = pinned(), *out = pinned(), *salt = pinned(), *a = on_device(),
                *b = on_device();
  cudaStream_t stream = new_stream();
  Checksum checksum;
  fill(in, 29);
  for (int i = 0; i < iterations(argc, argv); ++i) {
    *salt = static_cast<std::uint32_t>(i) * 2654435761u;
    CHECK(cudaMemcpyAsync(a, in, bytes, cudaMemcpyHostToDevice, stream));
    add<<<words / 256, 256, 0, stream>>>(a, salt, b, words);
    CHECK(cudaMemcpyAsync(out, b, bytes, cudaMemcpyDeviceToHost, stream));
    CHECK(cudaStreamSynchronize(stream));
    checksum.add(out, 16);
  }
  checksum.add(out);
  checksum.print();
}
