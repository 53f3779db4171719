// Four chains of a copy, a kernel and a copy back, in one stream. The second argument names the
// case:
// - "apart": each with its own memory. A third argument, "changed", gives each a stream;
// - "together": each uses what the one before has left;
// - "hidden": the same, but its kernel finds that through a pointer in the device's memory, which
// no
//   argument tells of.
#include <cstring>

#include "planted_app.hpp"

namespace {

constexpr int chains = 4;

/// Takes some 100 us on few blocks. `before`: null, or points to what the chain before has left.
__global__ void work(std::uint32_t* data, std::uint32_t* const* before) {
  const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  std::uint32_t value = data[i];
  if (before != nullptr) value += (*before)[i];
  for (int n = 0; n < 20'000; ++n) value = (value ^ value >> 13) * 2654435761u;
  data[i] = value;
}

}  // namespace

int main(int argc, char** argv) {
  const auto is = [&](int at, const char* how) {
    return argc > at && std::strcmp(argv[at], how) == 0;
  };
  const int count = iterations(argc, argv);
  constexpr int blocks = 8;
  constexpr std::size_t used = blocks * 256 * sizeof(std::uint32_t);
  std::uint32_t *in[chains], *out[chains], *data[chains], **tables[chains] = {};
  cudaStream_t streams[chains];
  Checksum checksum;
  for (int c = 0; c < chains; ++c) {
    in[c] = pinned(), out[c] = pinned(), data[c] = on_device();
    fill(in[c], static_cast<std::uint32_t>(23 + c));
    CHECK(cudaMalloc(&tables[c], 64));
    if (c > 0) CHECK(cudaMemcpy(tables[c], &data[c - 1], sizeof data[0], cudaMemcpyHostToDevice));
    streams[c] = c == 0 || is(3, "changed") ? new_stream() : streams[0];
  }
  for (int i = 0; i < count; ++i) {
    for (int c = 0; c < chains; ++c) {
      CHECK(cudaMemcpyAsync(data[c], in[c], used, cudaMemcpyHostToDevice, streams[c]));
      work<<<blocks, 256, 0, streams[c]>>>(data[c], is(2, "hidden") && c > 0 ? tables[c] : nullptr);
      CHECK(cudaGetLastError());
      CHECK(cudaMemcpyAsync(out[c], data[c], used, cudaMemcpyDeviceToHost, streams[c]));
    }
    CHECK(cudaDeviceSynchronize());
    for (const std::uint32_t* one : out) checksum.add(one, 16);
  }
  checksum.print();
}
