// Measures what calls cost the host, once for each line of its input.
//
// call_costs MICROSECONDS KIND CORE
//
// KIND is what an iteration issues before it waits:
// - "launches": 100 of an empty kernel;
// - "random": the same of eight kernels in an order that never repeats, so that a recorder keeps
//   searching;
// - "graph": one launch of a graph of 100;
// - "mixed": the launches, and a graph of one;
// - "kernel": one of 300 us.
// It iterates for 0.4 s without a replay, so that a recorder can finish, and says "ready". Then,
// for each line that it reads, it iterates for MICROSECONDS on that core. It prints medians:
// nanoseconds of a call and microseconds of an iteration.
#include <sched.h>

#include <algorithm>
#include <chrono>
#include <cstring>
#include <functional>

#include "planted_app.hpp"

namespace {

using Clock = std::chrono::steady_clock;
constexpr int launches = 100;

__global__ void nothing() {}

template <int>
__global__ void nothing_else() {}

__global__ void takes_us(unsigned long long us) {
  unsigned long long start = 0, now = 0;
  asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(start));
  do {
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(now));
  } while (now - start < us * 1000);
}

void launch_all(cudaStream_t stream, int count = launches) {
  for (int i = 0; i < count; ++i) nothing<<<1, 32, 0, stream>>>();
}

void launch_random(cudaStream_t stream) {
  constexpr void (*kernels[])() = {nothing_else<0>, nothing_else<1>, nothing_else<2>,
                                   nothing_else<3>, nothing_else<4>, nothing_else<5>,
                                   nothing_else<6>, nothing_else<7>};
  static std::uint32_t state = 1;
  for (int i = 0; i < launches; ++i) {
    state = state * 1664525u + 1013904223u;
    kernels[(state >> 20) % 8]<<<1, 32, 0, stream>>>();
  }
}

cudaGraphExec_t new_graph(cudaStream_t stream, int kernels) {
  cudaGraph_t graph = nullptr;
  cudaGraphExec_t executable = nullptr;
  CHECK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
  launch_all(stream, kernels);
  CHECK(cudaStreamEndCapture(stream, &graph));
  CHECK(cudaGraphInstantiate(&executable, graph, 0));
  CHECK(cudaGraphDestroy(graph));
  return executable;
}

struct Work {
  std::function<void()> issue;
  int calls = launches;
};

Work work_of(const char* kind, cudaStream_t stream) {
  if (std::strcmp(kind, "random") == 0) return {[=] { launch_random(stream); }};
  if (std::strcmp(kind, "kernel") == 0) return {[=] { takes_us<<<1, 1, 0, stream>>>(300); }, 1};
  if (std::strcmp(kind, "launches") == 0) return {[=] { launch_all(stream); }};
  const bool mixed = std::strcmp(kind, "mixed") == 0;
  const cudaGraphExec_t graph = new_graph(stream, mixed ? 1 : launches);
  const auto issue = [=] {
    if (mixed) launch_all(stream);
    CHECK(cudaGraphLaunch(graph, stream));
  };
  return {issue, mixed ? launches + 1 : 1};
}

struct Times {
  double call_ns, iteration_us;
};

Times iterate(const Work& work, cudaStream_t stream) {
  const auto start = Clock::now();
  work.issue();
  const auto issued = Clock::now();
  CHECK(cudaStreamSynchronize(stream));
  const auto done = Clock::now();
  return {std::chrono::duration<double, std::nano>(issued - start).count() / work.calls,
          std::chrono::duration<double, std::micro>(done - start).count()};
}

/// Iterates for `ms`, in which one iteration, for example that of a replay, counts for at most 5
/// ms.
void settle(const Work& work, cudaStream_t stream, double ms) {
  for (double us = 0; us < 1000 * ms;) us += std::min(5000.0, iterate(work, stream).iteration_us);
}

double middle(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return values[values.size() / 2];
}

Times measured(const Work& work, cudaStream_t stream, double us) {
  settle(work, stream, us / 5000);  // another process had the device
  std::vector<double> calls, whole;
  for (double all = 0; all < us; all += whole.back()) {
    const Times times = iterate(work, stream);
    calls.push_back(times.call_ns);
    whole.push_back(times.iteration_us);
  }
  return {middle(calls), middle(whole)};
}

/// Only the main thread is tied to it: a recorder's threads have other cores in practice, too.
void stay_on(std::size_t core) {
  cpu_set_t one;
  CPU_ZERO(&one);
  CPU_SET(core, &one);
  sched_setaffinity(0, sizeof one, &one);
}

}  // namespace

int main(int argc, char** argv) {
  const double us = argc > 1 ? std::atof(argv[1]) : 1e4;
  const char* const kind = argc > 2 ? argv[2] : "launches";
  cudaStream_t stream = new_stream();
  const Work work = work_of(kind, stream);
  settle(work, stream, 400);
  stay_on(argc > 3 ? static_cast<std::size_t>(std::atoi(argv[3])) : 0);
  std::puts("ready");
  std::fflush(stdout);
  char line[16];
  while (std::fgets(line, sizeof line, stdin) != nullptr) {
    const Times times = measured(work, stream, us);
    std::printf("%.1f %.3f\n", times.call_ns, times.iteration_us);
    std::fflush(stdout);
  }
}
