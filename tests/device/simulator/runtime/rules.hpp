// Shared by the tests of the execution rules: tiny kernels that leave a trace, a fresh machine for
// each run, and every outcome that the rules leave open.
//
// Cited documents: "Programming Guide" is the CUDA Programming Guide in its edition of chapters 1
// to 5 (13.1); "C++ Programming Guide" is the edition before it (13.0); "Runtime API" is the CUDA
// Runtime API 13.0.
#pragma once

#include <cuda_runtime_api.h>

#include "common/device/simulator/kernels/host_kernel.hpp"
#include "common/device/simulator/machine/machine.hpp"
#include "common/measure/gpu/runtime/handles.hpp"
#include "tests/device/simulator/timing/choices.hpp"
#include "tests/framework.hpp"

namespace trilane::simulator::rules {

inline std::string& letters() {
  static std::string written;
  return written;
}

/// Adds to the trace, from a host function.
inline void note(char letter) { letters() += letter; }

// Some kernel of the profile; no rule depends on what it costs.
inline constexpr KernelSize small{.words = 1024, .outputs = 1024, .blocks = 4, .rounds = 1};

inline HostLaunch describe_mark(dim3, dim3, void** arguments) {
  const auto [letter] = parameters<char>(arguments);
  return {.accesses = {}, .size = small, .work = [=] { note(letter); }};
}

inline HostLaunch describe_use(dim3, dim3, void** arguments) {
  const auto [letter, memory, bytes, touch] =
      parameters<char, void*, std::uint64_t, Touch>(arguments);
  const auto work = [=] {
    if (touch != Touch::read) std::memset(memory, letter, bytes);
    note(letter);
  };
  return {.accesses = {{range_of(memory, bytes), touch}}, .size = small, .work = work};
}

inline HostLaunch describe_fail(dim3, dim3, void** arguments) {
  const auto [code] = parameters<cudaError_t>(arguments);
  return {.accesses = {}, .size = small, .work = [=] { refuse(code); }};
}

inline const HostKernel mark_kernel("mark", describe_mark);
inline const HostKernel use_kernel("use", describe_use);
inline const HostKernel fail_kernel("fail", describe_fail);

inline void launch(const HostKernel& kernel, std::vector<void*> arguments, cudaStream_t stream) {
  check(cudaLaunchKernel(&kernel, dim3(4), dim3(256), arguments.data(), 0, stream));
}

inline cudaKernelNodeParams node_of(const HostKernel& kernel, void** arguments) {
  return {const_cast<HostKernel*>(&kernel), dim3(4), dim3(256), 0, arguments, nullptr};
}

inline std::string together(const std::set<std::string>& outcomes) {
  std::string text;
  for (const std::string& outcome : outcomes) text += (text.empty() ? "" : " ") + outcome;
  return text;
}

inline constexpr std::uint64_t mebibyte = std::uint64_t{1} << 20;

/// Launches a kernel that writes `letter` to the trace.
inline void mark(char letter, cudaStream_t stream) { launch(mark_kernel, {&letter}, stream); }
/// Does the same, and reads or writes `bytes` at `memory`; it writes `letter`.
inline void use(char letter, void* memory, std::uint64_t bytes, Touch touch, cudaStream_t stream) {
  launch(use_kernel, {&letter, &memory, &bytes, &touch}, stream);
}
/// The same kernels as the parameters of a graph node, valid while this object exists.
class NodeKernel {
 public:
  explicit NodeKernel(char letter)
      : letter_(letter),
        arguments_{&letter_},
        parameters_(node_of(mark_kernel, arguments_.data())) {}
  NodeKernel(char letter, void* memory, std::uint64_t bytes, Touch touch)
      : letter_(letter),
        memory_(memory),
        bytes_(bytes),
        touch_(touch),
        arguments_{&letter_, &memory_, &bytes_, &touch_},
        parameters_(node_of(use_kernel, arguments_.data())) {}
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
inline void fail(cudaError_t code, cudaStream_t stream) { launch(fail_kernel, {&code}, stream); }

/// Returns the letters of what has run so far, in order; "-" for none.
inline std::string trace() { return letters().empty() ? "-" : letters(); }
/// Return it when the host has waited for the stream, or for the device.
inline std::string trace_after(const Stream& stream) {
  check(cudaStreamSynchronize(stream.get()));
  return trace();
}
inline std::string trace_at_end() {
  check(cudaDeviceSynchronize());
  return trace();
}
/// Returns the trace in alphabetical order: what has run, whatever the order.
inline std::string ran() {
  std::string sorted = trace();
  std::ranges::sort(sorted);
  return sorted;
}

/// Returns the names of what the hazard check has found, in order, separated by commas; "none".
inline std::string found() {
  std::string names;
  for (const Report& report : machine().hazards.reports()) {
    names += (names.empty() ? "" : ", ") + name_of(report.hazard);
  }
  return names.empty() ? "none" : names;
}
/// Forgets them.
inline void forget() { machine().hazards.clear(); }

/// Returns the bytes of device memory that are free, as the runtime reports them.
inline std::uint64_t device_free() {
  std::size_t free = 0, total = 0;
  check(cudaMemGetInfo(&free, &total));
  return free;
}
inline void free_async(void* memory, const Stream& stream) {
  check(cudaFreeAsync(memory, stream.get()));
}

/// Orders `later` by events after everything in `earlier` now.
inline void order(cudaStream_t earlier, cudaStream_t later) {
  const Event event = make_ordering_event();
  check(cudaEventRecord(event.get(), earlier));
  check(cudaStreamWaitEvent(later, event.get(), 0));
}
/// Returns a stream that synchronises with the legacy default stream.
inline Stream make_blocking_stream() {
  cudaStream_t stream = nullptr;
  check(cudaStreamCreate(&stream));
  return Stream(stream);
}
inline GraphExec instantiate(cudaGraph_t graph, unsigned long long flags = 0) {
  cudaGraphExec_t executable = nullptr;
  check(cudaGraphInstantiate(&executable, graph, flags));
  return GraphExec(executable);
}
inline void launch(const GraphExec& executable, const Stream& stream) {
  check(cudaGraphLaunch(executable.get(), stream.get()));
}
/// Instantiates and launches a graph.
inline GraphExec launched(const Graph& graph, const Stream& stream) {
  GraphExec executable = instantiate(graph.get());
  launch(executable, stream);
  return executable;
}
inline void update(const GraphExec& executable, const Graph& graph) {
  cudaGraphExecUpdateResultInfo info{};
  check(cudaGraphExecUpdate(executable.get(), graph.get(), &info));
}

/// Returns a machine with 1 GiB of device memory.
inline Settings usual(std::uint64_t seed = 1) {
  Settings settings;
  settings.seed = seed;
  settings.profile = built_in_profile();
  settings.profile.memory_bytes = 1024 * mebibyte;
  return settings;
}
/// Starts over with an empty trace.
inline void start(Settings settings = usual()) {
  letters().clear();
  restart(std::move(settings));
}

/// Fixtures: a fresh machine, and one with a stream.
struct Fresh {
  Fresh() { start(); }
};
struct OneStream : Fresh {
  Stream stream = make_stream();
};

/// Returns what `body` returns on a fresh machine, for every sequence of choices that a draw can
/// make: each outcome once, in alphabetical order, separated by blanks.
inline std::string outcomes(const std::function<std::string()>& body,
                            const Settings& settings = usual()) {
  constexpr int most = 20'000;
  const auto choices = std::make_shared<Choices>();
  std::set<std::string> seen;
  int runs = 0;
  do {
    start(settings);
    machine().draw = std::make_unique<ChosenDraw>(choices);
    seen.insert(body());
    BOOST_REQUIRE_MESSAGE(++runs <= most, "more sequences of choices than a test should have");
  } while (choices->next());
  return together(seen);
}

}  // namespace trilane::simulator::rules

/// Defines a test case: the function body that follows it returns a string, and `expected` are its
/// outcomes(). The machine's settings may follow.
#define TRILANE_OUTCOMES(name, expected, ...)                                   \
  static std::string name##_body();                                             \
  BOOST_AUTO_TEST_CASE(name) {                                                  \
    BOOST_TEST(outcomes(name##_body __VA_OPT__(, ) __VA_ARGS__) == (expected)); \
  }                                                                             \
  static std::string name##_body()
