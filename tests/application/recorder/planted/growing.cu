// Steps that repeat in kind and not in size: each works on more words than the one before it. Odd
// ones use another kernel, and each fiftieth one makes one call more.
#include "planted_app.hpp"

__global__ static void mix_by_two(const std::uint32_t* in, std::uint32_t* out, int count) {
  const int i = 2 * static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (i < count) out[i] = in[i] * 3;
  if (i + 1 < count) out[i + 1] = in[i + 1] * 3;
}

int main(int argc, char** argv) {
  std::uint32_t *in = pinned(), *out = pinned(), *a = on_device(), *b = on_device();
  const cudaStream_t stream = new_stream();
  Checksum checksum;
  fill(in, 5);
  for (int i = 0; i < iterations(argc, argv); ++i) {
    const int count = 256 + 8 * i;
    const std::size_t size = static_cast<std::size_t>(count) * sizeof *in;
    in[0] = static_cast<std::uint32_t>(i);
    CHECK(cudaMemcpyAsync(a, in, size, cudaMemcpyHostToDevice, stream));
    launch_mix(a, b, stream, 7, count);
    if (i % 2 == 0) {
      launch_mix(b, a, stream, 9, count);
    } else {
      mix_by_two<<<static_cast<unsigned>(count + 511) / 512, 256, 0, stream>>>(b, a, count);
      CHECK(cudaGetLastError());
    }
    if (i % 50 == 49) CHECK(cudaMemsetAsync(b, 0, size, stream));
    CHECK(cudaMemcpyAsync(out, a, size, cudaMemcpyDeviceToHost, stream));
    CHECK(cudaStreamSynchronize(stream));
    checksum.add(out, 16);
  }
  checksum.add(out);
  checksum.print();
}
