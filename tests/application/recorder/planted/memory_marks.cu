// Says five times in its run how much memory it uses: resident memory of the process, and free
// memory of the device. With "random" no two iterations are alike, so that a recorder searches to
// the end; otherwise it has time to finish before the first mark.
#include <chrono>
#include <cstring>
#include <string>
#include <thread>

#include "planted_app.hpp"

namespace {

constexpr int marks = 5;

std::string resident() {
  std::string line = "?";
  char text[256];
  std::FILE* const file = std::fopen("/proc/self/status", "r");
  while (file != nullptr && std::fgets(text, sizeof text, file) != nullptr) {
    if (std::strncmp(text, "VmRSS:", 6) == 0) line = text + 6;
  }
  if (file != nullptr) std::fclose(file);
  return line.substr(0, line.find(" kB"));
}

void print_mark(int iteration) {
  std::size_t free_bytes = 0, all = 0;
  CHECK(cudaMemGetInfo(&free_bytes, &all));
  std::printf("iteration %d resident_kib %s device_free %zu\n", iteration, resident().c_str(),
              free_bytes);
  std::fflush(stdout);
}

/// Launches with a size of shared memory and a number of blocks that do not repeat often enough.
void launch_random(const std::uint32_t* in, std::uint32_t* out, cudaStream_t stream) {
  static std::uint32_t state = 1;
  state = state * 1664525u + 1013904223u;
  mix<<<1 + (state >> 12) % 8, 32, (state >> 16) % 4096, stream>>>(in, out, words, 7);
  CHECK(cudaGetLastError());
}

}  // namespace

int main(int argc, char** argv) {
  const bool random = argc > 2 && std::strcmp(argv[2], "random") == 0;
  std::uint32_t *in = pinned(), *out = pinned(), *a = on_device(), *b = on_device();
  cudaStream_t stream = new_stream();
  fill(in, 31);
  const int every = iterations(argc, argv) / marks;
  for (int i = 1; i <= every * marks; ++i) {
    if (random) {
      launch_random(a, b, stream);
    } else {
      void* scratch = nullptr;
      CHECK(cudaMallocAsync(&scratch, bytes, stream));
      CHECK(cudaMemcpyAsync(a, in, bytes, cudaMemcpyHostToDevice, stream));
      launch_mix(a, static_cast<std::uint32_t*>(scratch), stream);
      launch_mix(static_cast<std::uint32_t*>(scratch), b, stream);
      CHECK(cudaMemcpyAsync(out, b, bytes, cudaMemcpyDeviceToHost, stream));
      CHECK(cudaFreeAsync(scratch, stream));
    }
    CHECK(cudaStreamSynchronize(stream));
    if (!random && i == every * 9 / 10) std::this_thread::sleep_for(std::chrono::seconds(1));
    if (i % every == 0) print_mark(i);
  }
}
