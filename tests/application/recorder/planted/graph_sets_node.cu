// Builds a graph node by node, and sets its kernel's arguments before each launch.
#include "planted_app.hpp"

int main(int argc, char** argv) {
  std::uint32_t *in = pinned(), *out = pinned(), *a = on_device(), *b = on_device();
  cudaStream_t stream = new_stream();
  Checksum checksum;
  fill(in, 22);
  int count = words;
  std::uint32_t salt = 0;
  void* arguments[] = {&a, &b, &count, &salt};
  cudaKernelNodeParams kernel{};
  kernel.func = reinterpret_cast<void*>(mix);
  kernel.gridDim = dim3(words / 256);
  kernel.blockDim = dim3(256);
  kernel.kernelParams = arguments;
  cudaGraph_t graph = nullptr;
  cudaGraphNode_t copied = nullptr, mixed = nullptr, returned = nullptr;
  CHECK(cudaGraphCreate(&graph, 0));
  CHECK(cudaGraphAddMemcpyNode1D(&copied, graph, nullptr, 0, a, in, bytes, cudaMemcpyHostToDevice));
  CHECK(cudaGraphAddKernelNode(&mixed, graph, &copied, 1, &kernel));
  CHECK(
      cudaGraphAddMemcpyNode1D(&returned, graph, &mixed, 1, out, b, bytes, cudaMemcpyDeviceToHost));
  cudaGraphExec_t exec = nullptr;
  CHECK(cudaGraphInstantiate(&exec, graph, 0));
  for (int i = 0; i < iterations(argc, argv); ++i) {
    salt = static_cast<std::uint32_t>(i);
    CHECK(cudaGraphExecKernelNodeSetParams(exec, mixed, &kernel));
    CHECK(cudaGraphLaunch(exec, stream));
    CHECK(cudaStreamSynchronize(stream));
    checksum.add(out, 16);
  }
  checksum.add(out);
  checksum.print();
}
