// Kernels of kernels/graph_loop.cu, for graphs that decide on the device.
#pragma once

#include "common/measure/ask/parts/experiment.hpp"

namespace trilane {

/// The code for all architectures of this build; empty: without nvcc.
extern const unsigned char graph_loop_code[];
extern const std::size_t graph_loop_bytes;

/// Loads it. Throws CudaError.
class GraphCode : boost::noncopyable {
 public:
  GraphCode() {
    check(
        cudaLibraryLoadData(&library_, graph_loop_code, nullptr, nullptr, 0, nullptr, nullptr, 0));
    const unsigned words[] = {turns};
    check(cudaMemcpy(left_.get(), words, sizeof words, cudaMemcpyHostToDevice));
  }
  ~GraphCode() { warn(cudaLibraryUnload(library_)); }

  /// The turns that a loop takes, or launches that follow each other.
  static constexpr unsigned turns = 16;

  /// Returns the launch of a kernel by its name, in one block.
  template <typename... Arguments>
  KernelLaunch launch(const char* name, unsigned threads, Arguments... arguments) const {
    cudaKernel_t found = nullptr;
    check(cudaLibraryGetKernel(&found, library_, name));
    return KernelLaunch(found, dim3(1), dim3(threads), arguments...);
  }

  /// Enqueues that launch.
  template <typename... Arguments>
  void enqueue(cudaStream_t stream, const char* name, unsigned threads,
               Arguments... arguments) const {
    Operation(launch(name, threads, arguments...)).enqueue(stream);
  }

  /// Returns a graph with a WHILE node whose body is `issue`, ready to launch.
  GraphExec loop(const Issue& issue) const {
    const Graph graph = make_graph();
    const auto condition = new_condition(graph);
    add_conditional(graph, cudaGraphCondTypeWhile, condition, {}, [&](cudaStream_t stream) {
      issue(stream);
      enqueue(stream, "trilane_next_turn", 1, condition, left_.get(), turns);
    });
    return ready(graph);
  }

  /// Returns a graph of `decision` and an IF node, which runs `body` if `decision` has set the word
  /// to anything but 0. Ready to launch.
  GraphExec branch(Operation decision, const unsigned* word, const Issue& body) const {
    const Graph graph = make_graph();
    const auto condition = new_condition(graph);
    const cudaGraphNode_t decided[] = {decision.add_to(graph.get(), {})};
    const cudaGraphNode_t set[] = {Operation(launch("trilane_set_condition", 1, condition, word))
                                       .add_to(graph.get(), decided)};
    add_conditional(graph, cudaGraphCondTypeIf, condition, set, body);
    return ready(graph);
  }

  /// Returns a graph of `issue` that the device may launch, too, ready to launch.
  GraphExec launched_by_device(const Issue& issue) const {
    return ready(capture(issue), cudaGraphInstantiateFlagDeviceLaunch);
  }

  /// Returns a graph of `issue` that launches itself again, ready to launch.
  GraphExec chain_of_launches(const Issue& issue) const {
    return launched_by_device([&](cudaStream_t stream) {
      issue(stream);
      enqueue(stream, "trilane_launch_again", 1, left_.get(), turns);
    });
  }

  /// Instantiates and uploads the graph, and waits until it is ready to launch.
  GraphExec ready(const Graph& graph, unsigned long long flags = 0) const {
    GraphExec executable = instantiate(graph, flags);
    check(cudaGraphUpload(executable.get(), stream_.get()));
    check(cudaStreamSynchronize(stream_.get()));
    return executable;
  }

  /// Makes a kernel node settable by kernels, and returns how they name it.
  static cudaGraphDeviceNode_t settable(cudaGraphNode_t node) {
    constexpr auto attribute = cudaLaunchAttributeDeviceUpdatableKernelNode;
    cudaKernelNodeAttrValue value{};
    value.deviceUpdatableKernelNode.deviceUpdatable = 1;
    check(cudaGraphKernelNodeSetAttribute(node, attribute, &value));
    check(cudaGraphKernelNodeGetAttribute(node, attribute, &value));
    return value.deviceUpdatableKernelNode.devNode;
  }

 private:
  static cudaGraphConditionalHandle new_condition(const Graph& graph) {
    cudaGraphConditionalHandle made{};
    check(cudaGraphConditionalHandleCreate(&made, graph.get(), 1, cudaGraphCondAssignDefault));
    return made;
  }

  void add_conditional(const Graph& graph, cudaGraphConditionalNodeType type,
                       cudaGraphConditionalHandle condition,
                       std::span<const cudaGraphNode_t> before, const Issue& body) const {
    cudaGraphNodeParams params{};
    params.type = cudaGraphNodeTypeConditional;
    params.conditional.type = type;
    params.conditional.size = 1;
    params.conditional.handle = condition;
    cudaGraphNode_t node = nullptr;
    check(cudaGraphAddNode(&node, graph.get(), before.data(), nullptr, before.size(), &params));
    check(cudaStreamBeginCaptureToGraph(stream_.get(), params.conditional.phGraph_out[0], nullptr,
                                        nullptr, 0, cudaStreamCaptureModeThreadLocal));
    cudaGraph_t captured = nullptr;  // the node's own
    try {
      body(stream_.get());
    } catch (...) {
      cudaStreamEndCapture(stream_.get(), &captured);
      throw;
    }
    check(cudaStreamEndCapture(stream_.get(), &captured));
  }

  Stream stream_ = make_stream();
  cudaLibrary_t library_ = nullptr;
  DeviceBuffer left_ = make_device_buffer(sizeof(unsigned));
};

}  // namespace trilane
