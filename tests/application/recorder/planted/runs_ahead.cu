// The host runs ahead of the device. It waits for the work of two steps ago: over a ring of four
// events ("ring"); of the same buffer's last use, over two streams ("double"); or only in each
// fourth step ("seldom").
#include <cstring>

#include "planted_app.hpp"

int main(int argc, char** argv) {
  const char* const mode = argc > 2 ? argv[2] : "ring";
  const bool twice = std::strcmp(mode, "double") == 0, seldom = std::strcmp(mode, "seldom") == 0;
  const int slots = twice ? 2 : 4, behind = twice ? 1 : 2;
  std::uint32_t* in = pinned();
  std::uint32_t *out[4], *a[4], *b[4];
  cudaStream_t streams[4];
  cudaEvent_t done[4];
  for (int i = 0; i < slots; ++i) {
    out[i] = pinned();
    a[i] = on_device();
    b[i] = on_device();
    streams[i] = twice || i == 0 ? new_stream() : streams[0];
    done[i] = new_event();
  }
  Checksum checksum;
  fill(in, 3);
  for (int i = 0; i < iterations(argc, argv); ++i) {
    const int slot = i % slots, asked = (i + slots - behind) % slots;
    CHECK(cudaMemcpyAsync(a[slot], in, bytes, cudaMemcpyHostToDevice, streams[slot]));
    launch_mix(a[slot], b[slot], streams[slot], 1);
    CHECK(cudaMemcpyAsync(out[slot], b[slot], bytes, cudaMemcpyDeviceToHost, streams[slot]));
    if (seldom) {
      if (i % 4 == 3) CHECK(cudaStreamSynchronize(streams[slot]));
      continue;
    }
    CHECK(cudaEventRecord(done[slot], streams[slot]));
    if (i < behind) continue;
    CHECK(cudaEventSynchronize(done[asked]));
    checksum.add(out[asked], 16);
  }
  CHECK(cudaDeviceSynchronize());
  for (int i = 0; i < slots; ++i) checksum.add(out[i]);
  checksum.print();
}
