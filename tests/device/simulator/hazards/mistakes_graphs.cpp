// Mistakes in captures and graphs.
#include "common/measure/gpu/recording.hpp"
#include "tests/device/simulator/hazards/mistakes.hpp"
#include "tests/device/simulator/hazards/scene.hpp"
#include "tests/device/simulator/runtime/rules.hpp"

namespace trilane::simulator::mistakes {

namespace {

using rules::instantiate;
using rules::launch;
using rules::order;

std::string unjoined(bool planted) {
  const Scene s;
  check(cudaStreamBeginCapture(s.a, cudaStreamCaptureModeGlobal));
  order(s.a, s.b);
  s.upload(s.memory.get(), s.b);
  if (!planted) order(s.b, s.a);
  cudaGraph_t graph = nullptr;
  const cudaError_t code = cudaStreamEndCapture(s.a, &graph);
  const Graph owner(graph);
  return code == cudaSuccess ? "" : cudaGetErrorName(code);
}

std::string wrong_edge(bool planted) {
  const Scene s;
  const Recording recording([&](cudaStream_t origin) {
    order(origin, s.a);
    s.upload(s.memory.get(), s.a);
    order(planted ? origin : s.a, s.b);
    s.download(s.memory.get(), s.b);
    order(s.a, origin);
    order(s.b, origin);
  });
  recording.launch(s.b);
  return s.result();
}

/// One executable graph waits for its own last launch; two are independent of each other.
std::string two_executables(bool planted) {
  const Scene s;
  const Graph graph = capture([&](cudaStream_t origin) {
    s.upload(s.memory.get(), origin);
    s.download(s.memory.get(), origin);
  });
  const GraphExec one = instantiate(graph.get()), other = instantiate(graph.get());
  launch(one, s.first);
  launch(planted ? other : one, s.second);
  return s.result();
}

std::string launched_without_order(bool planted) {
  const Scene s;
  const Recording recording([&](cudaStream_t origin) { s.download(s.memory.get(), origin); });
  s.upload(s.memory.get(), s.a);
  if (!planted) order(s.a, s.b);
  recording.launch(s.b);
  return s.result();
}

std::string free_node_beside_a_use(bool planted) {
  const Scene s;
  const Recording recording([&](cudaStream_t origin) {
    void* memory = nullptr;
    check(cudaMallocAsync(&memory, bytes, origin));
    s.upload(memory, origin);
    order(origin, s.b);
    s.download(memory, s.b);
    if (!planted) order(s.b, origin);
    check(cudaFreeAsync(memory, origin));
    if (planted) order(s.b, origin);
  });
  recording.launch(s.a);
  return s.result();
}

}  // namespace

std::vector<Planted> of_graphs() {
  return {
      {"capture left unjoined", "cudaErrorStreamCaptureUnjoined", {}, unjoined},
      {"wrong edge in a graph",
       "unordered",
       {"copy out of 1024 bytes (graph", "node 2 on stream 2, operation 2) reads what copy in of",
        "node 1 on stream 2, operation 1) writes", "(1024 bytes of device memory)"},
       wrong_edge},
      {"two executables of one graph, without order",
       "unordered",
       {"copy in of 1024 bytes (graph", "node 1 on stream 2, operation 3) writes what copy out of",
        "node 2 on stream 1, operation 2) reads", "(1024 bytes of device memory)"},
       two_executables},
      {"graph launched without order",
       "unordered",
       {"copy out of 1024 bytes (graph", "on stream 2, operation 2) reads what copy in of 1024",
        "(stream 1, operation 1) writes", "(1024 bytes of device memory)"},
       launched_without_order},
      {"free node beside a use",
       "free before last use",
       {"free of 1024 bytes (graph", "node 4 on stream 1, operation 4) releases what copy out of",
        "node 3 on stream 1, operation 3) reads", "(1024 bytes of graph memory)"},
       free_node_beside_a_use},
  };
}

}  // namespace trilane::simulator::mistakes
