// Shared by the tests of the execution rules: tiny kernels that leave a trace, a fresh machine for
// each run, and every outcome that the rules leave open.
//
// Cited documents: "Programming Guide" is the CUDA Programming Guide in its edition of chapters 1
// to 5 (13.1); "C++ Programming Guide" is the edition before it (13.0); "Runtime API" is the CUDA
// Runtime API 13.0.
#pragma once

#include <cuda_runtime_api.h>

#include "common/device/simulator/machine/machine.hpp"
#include "common/measure/gpu/runtime/handles.hpp"
#include "tests/framework.hpp"

namespace trilane::simulator::rules {

inline constexpr std::uint64_t mebibyte = std::uint64_t{1} << 20;

/// Launches a kernel that writes `letter` to the trace.
void mark(char letter, cudaStream_t stream);
/// Does the same, and reads or writes `bytes` at `memory`; it writes `letter`.
void use(char letter, void* memory, std::uint64_t bytes, Touch touch, cudaStream_t stream);
/// The same kernels as the parameters of a graph node, valid while this object exists.
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
/// Launches a kernel that fails with `code` on the device.
void fail(cudaError_t code, cudaStream_t stream);

/// Returns the letters of what has run so far, in order; "-" for none.
std::string trace();
/// Return it when the host has waited for the stream, or for the device.
std::string trace_after(const Stream& stream);
std::string trace_at_end();
/// Returns the trace in alphabetical order: what has run, whatever the order.
std::string ran();
/// Adds to the trace, from a host function.
void note(char letter);

/// Returns the names of what the hazard check has found, in order, separated by commas; "none".
std::string found();
/// Forgets them.
void forget();

/// Returns the bytes of device memory that are free, as the runtime reports them.
std::uint64_t device_free();
void free_async(void* memory, const Stream& stream);

/// Orders `later` by events after everything in `earlier` now.
void order(cudaStream_t earlier, cudaStream_t later);
/// Returns a stream that synchronises with the legacy default stream.
Stream make_blocking_stream();
GraphExec instantiate(cudaGraph_t graph, unsigned long long flags = 0);
void launch(const GraphExec& executable, const Stream& stream);
/// Instantiates and launches a graph.
GraphExec launched(const Graph& graph, const Stream& stream);
void update(const GraphExec& executable, const Graph& graph);

/// Returns a machine with 1 GiB of device memory.
Settings usual(std::uint64_t seed = 1);
/// Starts over with an empty trace.
void start(Settings settings = usual());

/// Fixtures: a fresh machine, and one with a stream.
struct Fresh {
  Fresh() { start(); }
};
struct OneStream : Fresh {
  Stream stream = make_stream();
};

/// Returns what `body` returns on a fresh machine, for every sequence of choices that a draw can
/// make: each outcome once, in alphabetical order, separated by blanks.
std::string outcomes(const std::function<std::string()>& body, const Settings& settings = usual());

}  // namespace trilane::simulator::rules

/// Defines a test case: the function body that follows it returns a string, and `expected` are its
/// outcomes(). The machine's settings may follow.
#define TRILANE_OUTCOMES(name, expected, ...)                                   \
  static std::string name##_body();                                             \
  BOOST_AUTO_TEST_CASE(name) {                                                  \
    BOOST_TEST(outcomes(name##_body __VA_OPT__(, ) __VA_ARGS__) == (expected)); \
  }                                                                             \
  static std::string name##_body()
