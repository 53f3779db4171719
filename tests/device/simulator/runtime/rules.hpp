// What the tests of the execution rules share: tiny kernels that leave a trace, a fresh machine
// for each run, and every outcome that the rules leave open.
//
// Where they cite documents: "Programming Guide" is the CUDA Programming Guide in its edition of
// chapters 1 to 5 (13.1), "C++ Programming Guide" the edition before it (13.0), "Runtime API" the
// CUDA Runtime API 13.0.
#pragma once

#include <cuda_runtime_api.h>

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "common/device/simulator/machine/machine.hpp"
#include "common/measure/gpu/runtime/handles.hpp"

namespace trilane::simulator::rules {

inline constexpr std::uint64_t mebibyte = std::uint64_t{1} << 20;

/// Launches a kernel that writes `letter` to the trace.
void mark(char letter, cudaStream_t stream);
/// The same, and reads or writes `bytes` at `memory`; what it writes is `letter`.
void use(char letter, void* memory, std::uint64_t bytes, Touch touch, cudaStream_t stream);
/// The same kernels as the parameters of a graph node, valid while this lives.
class NodeKernel {
 public:
  explicit NodeKernel(char letter);
  NodeKernel(char letter, void* memory, std::uint64_t bytes, Touch touch);
  NodeKernel(const NodeKernel&) = delete;
  NodeKernel& operator=(const NodeKernel&) = delete;
  const cudaKernelNodeParams* get() const { return &parameters_; }

 private:
  char letter_;
  void* memory_ = nullptr;
  std::uint64_t bytes_ = 0;
  Touch touch_ = Touch::read;
  std::vector<void*> arguments_;
  cudaKernelNodeParams parameters_;
};
/// Launches a kernel that runs into `code` on the device.
void fail(cudaError_t code, cudaStream_t stream);

/// The letters of what has run so far, in the order in which it ran; "-" for none.
std::string trace();
/// The same in the order of the alphabet: what has run, whatever the order.
std::string ran();
/// Adds to the trace, from a host function.
void note(char letter);

/// The names of what the hazard check has found, in order, with commas between; "none".
std::string found();
/// Forgets them.
void forget();

/// The events that order `later` after all that is in `earlier` now.
void order(cudaStream_t earlier, cudaStream_t later);
/// A stream that synchronises with the legacy default stream.
Stream make_blocking_stream();
GraphExec instantiate(cudaGraph_t graph, unsigned long long flags = 0);
void launch(const GraphExec& executable, const Stream& stream);

/// A machine with 1 GiB of device memory.
Settings usual();
/// Starts over with an empty trace.
void start(Settings settings = usual());

/// What `body` returns on a fresh machine, for every sequence of choices that a draw can make:
/// each outcome once, in alphabetical order, with blanks between.
std::string outcomes(const std::function<std::string()>& body, const Settings& settings = usual());

}  // namespace trilane::simulator::rules
