// Runs correctly for a while and then ends in the way that the second argument names.
#include <csignal>
#include <cstring>

#include "planted_app.hpp"

__global__ static void write_nowhere(std::uint32_t* out) { out[std::size_t{1} << 40] = 1; }

int main(int argc, char** argv) {
  std::uint32_t *in = pinned(), *out = pinned(), *a = on_device(), *b = on_device();
  cudaStream_t stream = new_stream();
  fill(in, 9);
  for (int i = 0; i < iterations(argc, argv); ++i) {
    CHECK(cudaMemcpyAsync(a, in, bytes, cudaMemcpyHostToDevice, stream));
    launch_mix(a, b, stream);
    CHECK(cudaMemcpyAsync(out, b, bytes, cudaMemcpyDeviceToHost, stream));
    CHECK(cudaStreamSynchronize(stream));
  }
  std::printf("crashing\n");
  std::fflush(stdout);
  const char* const how = argc > 2 ? argv[2] : "abort";
  if (std::strcmp(how, "abort") == 0) std::abort();
  if (std::strcmp(how, "segv") == 0) std::raise(SIGSEGV);
  write_nowhere<<<1, 1, 0, stream>>>(a);
  CHECK(cudaStreamSynchronize(stream));  // fails
}
