// Captures a graph, launches it in each iteration, and captures another one now and then.
#include "planted_app.hpp"

int main(int argc, char** argv) {
  std::uint32_t *in = pinned(), *out = pinned(), *a = on_device(), *b = on_device();
  cudaStream_t stream = new_stream();
  Checksum checksum;
  fill(in, 15);
  cudaGraphExec_t exec = nullptr;
  for (int i = 0; i < iterations(argc, argv); ++i) {
    if (i % 100 == 0) {
      cudaGraph_t graph = nullptr;
      CHECK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
      CHECK(cudaMemcpyAsync(a, in, bytes, cudaMemcpyHostToDevice, stream));
      launch_mix(a, b, stream);
      CHECK(cudaStreamEndCapture(stream, &graph));
      if (exec != nullptr) CHECK(cudaGraphExecDestroy(exec));
      CHECK(cudaGraphInstantiate(&exec, graph, 0));
      CHECK(cudaGraphDestroy(graph));
    }
    CHECK(cudaGraphLaunch(exec, stream));
    CHECK(cudaMemcpyAsync(out, b, bytes, cudaMemcpyDeviceToHost, stream));
    CHECK(cudaStreamSynchronize(stream));
    checksum.add(out, 16);
  }
  checksum.print();
}
