// Measures what calls cost the host: nanoseconds for each of 100 launches of an empty kernel before
// a wait, the median over the iterations after the first half. With the second argument "random"
// the launches never repeat, so that a recorder goes on looking.
#include <algorithm>
#include <chrono>
#include <cstring>

#include "planted_app.hpp"

__global__ static void nothing() {}

int main(int argc, char** argv) {
  constexpr int launches = 100;
  const bool random = argc > 2 && std::strcmp(argv[2], "random") == 0;
  cudaStream_t stream = new_stream();
  std::vector<double> calls, whole;
  std::uint32_t state = 1;
  const int all = iterations(argc, argv);
  for (int i = 0; i < all; ++i) {
    const auto start = std::chrono::steady_clock::now();
    for (int k = 0; k < launches; ++k) {
      state = state * 1664525u + 1013904223u;
      nothing<<<random ? 1 + (state >> 20) % 8 : 1, 32, 0, stream>>>();
    }
    const auto issued = std::chrono::steady_clock::now();
    CHECK(cudaStreamSynchronize(stream));
    const auto done = std::chrono::steady_clock::now();
    if (i < all / 2) continue;
    calls.push_back(std::chrono::duration<double, std::nano>(issued - start).count() / launches);
    whole.push_back(std::chrono::duration<double, std::micro>(done - start).count());
  }
  std::sort(calls.begin(), calls.end());
  std::sort(whole.begin(), whole.end());
  std::printf("launch_ns %.1f iteration_us %.3f\n", calls[calls.size() / 2],
              whole[whole.size() / 2]);
}
