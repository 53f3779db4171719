// Launches kernels with all attributes that a graph's nodes and edges keep, on two streams of
// different priority. Says what a capture of the same calls contains. With "joined" a kernel that
// may begin early follows two others.
#include <cstring>

#include "planted_app.hpp"

namespace {

constexpr int kernels = 8;

struct Work {
  std::uint32_t *in = pinned(), *out = pinned(), *a = on_device(), *results[kernels];
  cudaStream_t one = nullptr, two = new_stream();
  cudaEvent_t forked = new_event(), joined = new_event();
};

cudaLaunchAttribute early() {
  cudaLaunchAttribute attribute = {};
  attribute.id = cudaLaunchAttributeProgrammaticStreamSerialization;
  attribute.val.programmaticStreamSerializationAllowed = 1;
  return attribute;
}

cudaLaunchAttribute in_pairs() {
  cudaLaunchAttribute attribute = {};
  attribute.id = cudaLaunchAttributeClusterDimension;
  attribute.val.clusterDim.x = 2;
  attribute.val.clusterDim.y = attribute.val.clusterDim.z = 1;
  return attribute;
}

/// Each kernel reads the copied input and writes its own memory, so that none needs another.
void launch(const Work& work, int number, cudaStream_t stream, cudaLaunchAttribute attribute) {
  cudaLaunchConfig_t config = {};
  config.gridDim = dim3(words / 256);
  config.blockDim = dim3(256);
  config.stream = stream;
  config.attrs = &attribute;
  config.numAttrs = 1;
  const std::uint32_t* const in = work.a;
  CHECK(cudaLaunchKernelEx(&config, mix, in, work.results[number], words,
                           static_cast<std::uint32_t>(number)));
}

void launch_cooperatively(Work& work, int number, cudaStream_t stream) {
  const std::uint32_t* in = work.a;
  int count = words;
  std::uint32_t salt = 5;
  void* parameters[] = {&in, &work.results[number], &count, &salt};
  CHECK(cudaLaunchCooperativeKernel(reinterpret_cast<const void*>(mix), dim3(words / 256),
                                    dim3(256), parameters, 0, stream));
}

void iterate(Work& work, bool joined) {
  CHECK(cudaMemcpyAsync(work.a, work.in, bytes, cudaMemcpyHostToDevice, work.one));
  for (int k = 0; k < 4; ++k) launch(work, k, work.one, early());  // three after a kernel
  launch(work, 4, work.one, in_pairs());
  CHECK(cudaEventRecord(work.forked, work.one));
  CHECK(cudaStreamWaitEvent(work.two, work.forked, 0));
  launch_mix(work.a, work.results[5], work.two);
  launch_cooperatively(work, 6, work.one);
  CHECK(cudaMemsetAsync(work.results[0], 1, 64, work.two));
  if (joined) launch_mix(work.a, work.results[5], work.two);
  CHECK(cudaEventRecord(work.joined, work.two));
  CHECK(cudaStreamWaitEvent(work.one, work.joined, 0));
  if (joined) launch(work, 7, work.one, early());
  CHECK(cudaMemcpyAsync(work.out, work.results[3], bytes, cudaMemcpyDeviceToHost, work.one));
}

/// Prints counts by the names in the evidence of a replayed graph.
void say_what_is_in(cudaGraph_t graph) {
  std::size_t count = 0, edges = 0;
  CHECK(cudaGraphGetNodes(graph, nullptr, &count));
  std::vector<cudaGraphNode_t> nodes(count);
  CHECK(cudaGraphGetNodes(graph, nodes.data(), &count));
  int of_kind[3] = {}, prioritised = 0, cooperative = 0, clusters = 0, programmatic = 0;
  for (cudaGraphNode_t node : nodes) {
    cudaGraphNodeType type{};
    CHECK(cudaGraphNodeGetType(node, &type));
    if (type == cudaGraphNodeTypeMemcpy) ++of_kind[1];
    if (type == cudaGraphNodeTypeMemset) ++of_kind[2];
    if (type != cudaGraphNodeTypeKernel) continue;
    ++of_kind[0];
    cudaKernelNodeAttrValue value{};
    CHECK(cudaGraphKernelNodeGetAttribute(node, cudaLaunchAttributePriority, &value));
    prioritised += value.priority < 0;
    CHECK(cudaGraphKernelNodeGetAttribute(node, cudaLaunchAttributeCooperative, &value));
    cooperative += value.cooperative != 0;
    CHECK(cudaGraphKernelNodeGetAttribute(node, cudaLaunchAttributeClusterDimension, &value));
    clusters += value.clusterDim.x * value.clusterDim.y * value.clusterDim.z > 1;
  }
  CHECK(cudaGraphGetEdges(graph, nullptr, nullptr, nullptr, &edges));
  std::vector<cudaGraphNode_t> from(edges), to(edges);
  std::vector<cudaGraphEdgeData> data(edges);
  CHECK(cudaGraphGetEdges(graph, from.data(), to.data(), data.data(), &edges));
  for (const cudaGraphEdgeData& edge : data) {
    programmatic += edge.type == cudaGraphDependencyTypeProgrammatic;
  }
  std::printf(
      "captured {\"nodes\": %zu, \"kernel nodes\": %d, \"copy nodes\": %d, \"memset nodes\": %d, "
      "\"edges\": %zu, \"programmatic edges\": %d, \"prioritised kernels\": %d, \"cooperative "
      "kernels\": %d, \"kernels in clusters\": %d}\n",
      count, of_kind[0], of_kind[1], of_kind[2], edges, programmatic, prioritised, cooperative,
      clusters);
}

}  // namespace

int main(int argc, char** argv) {
  const bool joined = argc > 2 && std::strcmp(argv[2], "joined") == 0;
  Work work;
  for (std::uint32_t*& result : work.results) result = on_device();
  int least = 0, greatest = 0;
  CHECK(cudaDeviceGetStreamPriorityRange(&least, &greatest));
  CHECK(cudaStreamCreateWithPriority(&work.one, cudaStreamNonBlocking, greatest));
  fill(work.in, 31);
  cudaGraph_t graph = nullptr;
  CHECK(cudaStreamBeginCapture(work.one, cudaStreamCaptureModeThreadLocal));
  iterate(work, joined);
  CHECK(cudaStreamEndCapture(work.one, &graph));
  say_what_is_in(graph);
  CHECK(cudaGraphDestroy(graph));
  Checksum checksum;
  for (int i = 0; i < iterations(argc, argv); ++i) {
    iterate(work, joined);
    CHECK(cudaStreamSynchronize(work.one));
    checksum.add(work.out, 16);
  }
  checksum.print();
}
