// Copies a volume to the host with gaps between its slices, after a peer copy within the device.
#include "planted_app.hpp"

int main(int argc, char** argv) {
  constexpr int width = 64, rows = 16, slices = words / (width * rows), slice_rows = rows + 3;
  constexpr std::size_t row = width * sizeof(std::uint32_t);
  std::uint32_t *in = pinned(), *a = on_device(), *b = on_device();
  std::vector<std::uint32_t> out(static_cast<std::size_t>(width) * slice_rows * slices);
  cudaStream_t stream = new_stream();
  Checksum checksum;
  fill(in, 41);
  cudaMemcpy3DParms volume{};
  volume.srcPtr = make_cudaPitchedPtr(b, row, row, rows);
  volume.dstPtr = make_cudaPitchedPtr(out.data(), row, row, slice_rows);
  volume.extent = make_cudaExtent(row, rows, slices);
  volume.kind = cudaMemcpyDeviceToHost;
  CHECK(cudaHostRegister(out.data(), out.size() * sizeof(std::uint32_t), 0));
  for (int i = 0; i < iterations(argc, argv); ++i) {
    in[0] = static_cast<std::uint32_t>(i % 3);
    CHECK(cudaMemcpyAsync(a, in, bytes, cudaMemcpyHostToDevice, stream));
    CHECK(cudaMemcpyPeerAsync(b, 0, a, 0, bytes, stream));
    launch_mix(b, a, stream);
    launch_mix(a, b, stream);
    CHECK(cudaMemcpy3DAsync(&volume, stream));
    CHECK(cudaStreamSynchronize(stream));
    checksum.add(out.data(), 16);
  }
  checksum.add(out.data(), static_cast<int>(out.size()));
  checksum.print();
}
