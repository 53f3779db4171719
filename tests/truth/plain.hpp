// Common parts of the plain programs: checks of errors and data, the clock, and the output. Only
// the kernels are Trilane's.
#pragma once

#include <cuda_runtime.h>

#include <source_location>
#include <vector>

#include "kernels/mix.hpp"
#include "tests/truth/shapes.hpp"

namespace plain {

/// Ends the program with code 1 if a call failed.
void check(cudaError_t error, const std::source_location& at = std::source_location::current());

/// Returns the time since some moment.
double now_us();

/// The command line's request, and the pinned host memory of its pass.
struct Job {
  Preset preset;
  double measure_us;
  unsigned char *in, *out;
};

/// The program of a variant, called by main(): once, or on a thread for each of several GPUs that
/// are not joined by commas.
int run(int count, char** words);

/// Reads "PRESET MILLISECONDS", opens the GPU and makes the host memory. The context exists
/// afterwards, so that no set-up is timed with it.
Job begin(int count, char** words);

/// A pass whose chunks GPUs get in turn.
struct SplitJob : Job {
  std::vector<int> gpus;
};

/// Reads "PRESET MILLISECONDS [GPU,GPU,... [WORKING]]", opens these GPUs, or all, and makes host
/// memory for all of them. Only the first WORKING get chunks. The first one is current afterwards.
SplitJob begin_split(int count, char** words);

/// Loads a kernel, which a capture cannot do.
template <typename Kernel>
void load(Kernel* kernel) {
  cudaFuncAttributes attributes{};
  check(cudaFuncGetAttributes(&attributes, kernel));
}

/// Checks a pass, measures passes one by one, checks another pass and prints a line. `pass(of)`
/// enqueues a pass and waits for it. Returns the exit code: 1 if data were wrong.
int measure(const char* variant, const Job& job, double setup_us, void (*pass)(void*), void* of);

/// The same for a pass with what it captures. Without std::function, whose header takes nvcc as
/// long as the rest of a program.
template <typename Pass>
int measure(const char* variant, const Job& job, double setup_us, Pass pass) {
  return measure(
      variant, job, setup_us, [](void* of) { (*static_cast<Pass*>(of))(); }, &pass);
}

}  // namespace plain

using namespace plain;
