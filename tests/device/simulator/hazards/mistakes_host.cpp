// Mistakes of the host: its buffers, its waits, its functions.
#include <cstring>

#include "common/device/simulator/machine/machine.hpp"
#include "common/measure/gpu/runtime/gated_timer.hpp"
#include "tests/device/simulator/hazards/mistakes.hpp"
#include "tests/device/simulator/hazards/scene.hpp"

namespace trilane::simulator::mistakes {

namespace {

std::string input_reused(bool planted) {
  const Scene s;
  s.upload(s.memory.get(), s.a);
  if (!planted) check(cudaStreamSynchronize(s.a));
  std::memset(s.in.get(), 1, bytes);
  check(cudaDeviceSynchronize());
  return "";
}

/// Waits for all lanes except the finished one.
std::string waited_for_the_wrong_lane(bool planted) {
  const Scene s;
  s.upload(s.memory.get(), s.a);
  check(cudaStreamSynchronize(planted ? s.b : s.a));
  s.in.get()[bytes - 1] ^= std::byte{1};
  check(cudaDeviceSynchronize());
  return "";
}

/// The output counts as done and is prepared for the next pass.
std::string output_reused(bool planted) {
  const Scene s;
  s.upload(s.memory.get(), s.a);
  s.download(s.memory.get(), s.a);
  if (!planted) check(cudaStreamSynchronize(s.a));
  std::memset(s.out.get(), 1, bytes);
  check(cudaDeviceSynchronize());
  return "";
}

std::string gate_left_shut(bool planted) {
  const Scene s;
  Gate gate(60);
  gate.close(s.a);
  if (planted) {
    machine().settings.patience_s = 0.005;
  } else {
    gate.open();
  }
  const cudaError_t code = cudaStreamSynchronize(s.a);
  return code == cudaSuccess ? "" : cudaGetErrorName(code);
}

std::string api_in_host_function(bool planted) {
  const Scene s;
  const auto asks = [](void*) { cudaGetLastError(); };
  const auto does_not = [](void*) {};
  check(cudaLaunchHostFunc(s.a, planted ? cudaHostFn_t{asks} : cudaHostFn_t{does_not}, nullptr));
  check(cudaDeviceSynchronize());
  return "";
}

}  // namespace

std::vector<Planted> of_the_host() {
  const std::vector<std::string> copy_in_under_way{
      "copy in of 1024 bytes (stream 1, operation 1) was running", "(1024 bytes of pinned memory)"};
  return {
      {"host buffer reused while its copy is under way", "host touched", copy_in_under_way,
       input_reused},
      {"host waited for the wrong lane", "host touched", copy_in_under_way,
       waited_for_the_wrong_lane},
      {"output overwritten while its copy is under way",
       "host touched",
       {"copy out of 1024 bytes (stream 1, operation 2) was running",
        "(1024 bytes of pinned memory)"},
       output_reused},
      {"gate that nobody opens",
       "never finishes",
       {"host function (stream 1, operation 1) has not returned after 0.005 s"},
       gate_left_shut},
      {"host function that calls the runtime",
       "API in host function",
       {"cudaGetLastError in host function (stream 1, operation 1)"},
       api_in_host_function},
  };
}

}  // namespace trilane::simulator::mistakes
