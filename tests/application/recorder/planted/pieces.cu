// Parameters that are copied one by one. The second argument names the case:
// - "small": each lies behind the one before, in both memories. A third argument, "changed", copies
//   all of them at once, which leaves the same result;
// - "apart": on the device they do not.
#include <cstring>

#include "planted_app.hpp"

int main(int argc, char** argv) {
  constexpr int parameters = 8, each = 16;  // words
  const bool apart = argc > 2 && std::strcmp(argv[2], "apart") == 0;
  const bool changed = argc > 3 && std::strcmp(argv[3], "changed") == 0;
  const int stride = apart ? 2 * each : each;
  std::uint32_t *in = pinned(), *out = pinned(), *a = on_device(), *b = on_device();
  cudaStream_t stream = new_stream();
  Checksum checksum;
  CHECK(cudaMemset(a, 0, bytes));
  fill(in, 29);
  for (int i = 0; i < iterations(argc, argv); ++i) {
    in[i % (parameters * each)] = static_cast<std::uint32_t>(i);
    if (changed) {
      CHECK(cudaMemcpyAsync(a, in, parameters * each * 4, cudaMemcpyHostToDevice, stream));
    } else {
      for (int k = 0; k < parameters; ++k) {
        CHECK(cudaMemcpyAsync(a + k * stride, in + k * each, each * 4, cudaMemcpyHostToDevice,
                              stream));
      }
    }
    launch_mix(a, b, stream);
    CHECK(cudaMemcpyAsync(out, b, bytes, cudaMemcpyDeviceToHost, stream));
    CHECK(cudaStreamSynchronize(stream));
    checksum.add(out, 16);
  }
  checksum.add(out);
  checksum.print();
}
