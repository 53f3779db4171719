// Captures a graph with copies in and out once, and launches it in each iteration. With "child" the
// graph is a child of another one, with "host" it also calls a function on the host.
#include <cstring>

#include "planted_app.hpp"

int main(int argc, char** argv) {
  const char* const kind = argc > 2 ? argv[2] : "";
  std::uint32_t *in = pinned(), *out = pinned(), *a = on_device(), *b = on_device();
  cudaStream_t stream = new_stream();
  Checksum checksum;
  fill(in, 21);
  cudaGraph_t graph = nullptr;
  CHECK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
  CHECK(cudaMemcpyAsync(a, in, bytes, cudaMemcpyHostToDevice, stream));
  CHECK(cudaMemsetAsync(b, 0, bytes, stream));
  launch_mix(a, b, stream);
  launch_mix(b, a, stream, 9);
  CHECK(cudaMemcpyAsync(out, a, bytes, cudaMemcpyDeviceToHost, stream));
  if (std::strcmp(kind, "host") == 0) {
    CHECK(cudaLaunchHostFunc(
        stream, [](void*) {}, nullptr));
  }
  CHECK(cudaStreamEndCapture(stream, &graph));
  cudaGraph_t launched = graph;
  if (std::strcmp(kind, "child") == 0) {
    cudaGraphNode_t node = nullptr;
    CHECK(cudaGraphCreate(&launched, 0));
    CHECK(cudaGraphAddChildGraphNode(&node, launched, nullptr, 0, graph));
  }
  cudaGraphExec_t exec = nullptr;
  CHECK(cudaGraphInstantiate(&exec, launched, 0));
  CHECK(cudaGraphDestroy(graph));
  for (int i = 0; i < iterations(argc, argv); ++i) {
    in[0] = static_cast<std::uint32_t>(i);
    CHECK(cudaGraphLaunch(exec, stream));
    CHECK(cudaStreamSynchronize(stream));
    checksum.add(out, 16);
  }
  checksum.add(out);
  checksum.print();
}
