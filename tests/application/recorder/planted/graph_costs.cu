// Makes executable graphs before its loop or in it, and says on standard error in JSON what it made
// and what device memory each took. The second argument selects a case:
// - "sizes": before the loop, ten graphs of different size, each at a line of its own.
// - "piling": each iteration makes a graph, launches it and keeps it.
// - "once": each iteration makes a graph, launches it and destroys it.
// - "never": each iteration makes a graph and destroys it.
// - "updated": each iteration updates a graph; "set": it sets a node of one.
// - "sound": a graph is made before the loop.
#include <string>

#include "planted_app.hpp"

namespace {

struct Graphs {
  std::uint32_t *in = pinned(), *out = pinned(), *a = on_device(), *b = on_device();
  cudaStream_t stream = new_stream();
  std::vector<long long> took{};
  cudaGraphNode_t last = nullptr;  ///< node of the latest graph

  cudaGraph_t graph_of(int kernels, std::uint32_t salt = 3) {
    cudaGraph_t graph = nullptr;
    CHECK(cudaGraphCreate(&graph, 0));
    last = nullptr;
    for (int i = 0; i < kernels; ++i) {
      const cudaKernelNodeParams parameters = with_arguments(salt);
      cudaGraphNode_t node = nullptr;
      CHECK(cudaGraphAddKernelNode(&node, graph, &last, last == nullptr ? 0 : 1, &parameters));
      last = node;
    }
    return graph;
  }
  cudaKernelNodeParams with_arguments(std::uint32_t salt) {
    salt_ = salt;
    cudaKernelNodeParams parameters = {};
    parameters.func = reinterpret_cast<void*>(mix);
    parameters.gridDim = dim3(words / 256);
    parameters.blockDim = dim3(256);
    parameters.kernelParams = arguments_;
    return parameters;
  }
  void measure(int kernels);

 private:
  unsigned count_ = words;
  std::uint32_t salt_ = 3;
  void* arguments_[4] = {&a, &b, &count_, &salt_};
};

std::size_t free_memory() {
  std::size_t free = 0, all = 0;
  CHECK(cudaMemGetInfo(&free, &all));
  return free;
}

cudaGraphExec_t instantiate(cudaGraph_t graph) {
  cudaGraphExec_t made = nullptr;
  CHECK(cudaGraphInstantiate(&made, graph, 0));
  return made;
}

/// Uploads each other graph before its launch.
void Graphs::measure(int kernels) {
  const cudaGraph_t graph = graph_of(kernels);
  const std::size_t before = free_memory();
  const cudaGraphExec_t made = instantiate(graph);
  if (took.size() % 2 == 1) {
    CHECK(cudaGraphUpload(made, stream));
  }
  CHECK(cudaGraphLaunch(made, stream));
  CHECK(cudaStreamSynchronize(stream));
  took.push_back(static_cast<long long>(before) - static_cast<long long>(free_memory()));
}

}  // namespace

int main(int argc, char** argv) {
  const std::string how = argc > 2 ? argv[2] : "sound";
  Graphs graphs;
  const cudaStream_t stream = graphs.stream;
  fill(graphs.in, 32);
  fill(graphs.out, 32);
  launch_mix(graphs.a, graphs.b, stream);
  CHECK(cudaDeviceSynchronize());
  if (how == "sizes") {
    graphs.measure(3000);
    graphs.measure(6000);
    graphs.measure(9000);
    graphs.measure(12000);
    graphs.measure(15000);
    graphs.measure(18000);
    graphs.measure(21000);
    graphs.measure(24000);
    graphs.measure(27000);
    graphs.measure(30000);
  }
  const cudaGraph_t small = graphs.graph_of(how == "piling" ? 400 : 20);
  const cudaGraphNode_t node = graphs.last;
  const bool kept = how != "piling" && how != "once";
  const cudaGraphExec_t one = kept ? instantiate(small) : nullptr;
  const std::size_t before = free_memory();
  Checksum checksum;
  for (int i = 0; i < iterations(argc, argv); ++i) {
    CHECK(cudaMemcpyAsync(graphs.a, graphs.in, bytes, cudaMemcpyHostToDevice, stream));
    if (how == "updated") {
      const cudaGraph_t changed = graphs.graph_of(20, 7);
      cudaGraphExecUpdateResultInfo result;
      CHECK(cudaGraphExecUpdate(one, changed, &result));
      CHECK(cudaGraphDestroy(changed));
    }
    if (how == "set") {
      const cudaKernelNodeParams parameters = graphs.with_arguments(7);
      CHECK(cudaGraphExecKernelNodeSetParams(one, node, &parameters));
    }
    if (how == "never") {
      CHECK(cudaGraphExecDestroy(instantiate(small)));
    }
    const cudaGraphExec_t launched = kept ? one : instantiate(small);
    CHECK(cudaGraphLaunch(launched, stream));
    CHECK(cudaMemcpyAsync(graphs.out, graphs.b, bytes, cudaMemcpyDeviceToHost, stream));
    CHECK(cudaStreamSynchronize(stream));
    if (how == "once") {
      CHECK(cudaGraphExecDestroy(launched));
    }
    checksum.add(graphs.out, 16);
  }
  if (how == "piling") {
    graphs.took.push_back(static_cast<long long>(before) - static_cast<long long>(free_memory()));
  }
  std::fprintf(stderr, "took [");
  for (std::size_t i = 0; i < graphs.took.size(); ++i) {
    std::fprintf(stderr, "%s%lld", i == 0 ? "" : ", ", graphs.took[i]);
  }
  std::fprintf(stderr, "]\n");
  checksum.print();
}
