// Kernels of kernels/graph_loop.cu, for graphs that decide on the device.
#pragma once

#include "common/measure/ask/parts/experiment.hpp"
#include "common/measure/gpu/operation.hpp"
#include "common/measure/gpu/recording.hpp"

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

  /// Returns a graph with a WHILE node whose body is `issue`, ready to launch.
  GraphExec loop(const Issue& issue) const {
    cudaGraph_t made = nullptr;
    check(cudaGraphCreate(&made, 0));
    const Graph graph(made);
    cudaGraphNodeParams params{};
    params.type = cudaGraphNodeTypeConditional;
    params.conditional.type = cudaGraphCondTypeWhile;
    params.conditional.size = 1;
    check(cudaGraphConditionalHandleCreate(&params.conditional.handle, made, 1,
                                           cudaGraphCondAssignDefault));
    cudaGraphNode_t node = nullptr;
    check(cudaGraphAddNode(&node, made, nullptr, nullptr, 0, &params));
    check(cudaStreamBeginCaptureToGraph(stream_.get(), params.conditional.phGraph_out[0], nullptr,
                                        nullptr, 0, cudaStreamCaptureModeThreadLocal));
    issue(stream_.get());
    Operation(KernelLaunch(kernel("trilane_next_turn"), dim3(1), dim3(1), params.conditional.handle,
                           left_.get(), turns))
        .enqueue(stream_.get());
    check(cudaStreamEndCapture(stream_.get(), &made));  // the body
    return uploaded(graph, 0);
  }

  /// Returns a graph of `issue` that launches itself again, ready to launch.
  GraphExec chain_of_launches(const Issue& issue) const {
    return uploaded(capture([&](cudaStream_t stream) {
                      issue(stream);
                      Operation(KernelLaunch(kernel("trilane_launch_again"), dim3(1), dim3(1),
                                             left_.get(), turns))
                          .enqueue(stream);
                    }),
                    cudaGraphInstantiateFlagDeviceLaunch);
  }

 private:
  const void* kernel(const char* name) const {
    cudaKernel_t found = nullptr;
    check(cudaLibraryGetKernel(&found, library_, name));
    return found;
  }

  GraphExec uploaded(const Graph& graph, unsigned flags) const {
    cudaGraphExec_t made = nullptr;
    check(cudaGraphInstantiate(&made, graph.get(), flags));
    GraphExec executable(made);
    check(cudaGraphUpload(made, stream_.get()));
    check(cudaStreamSynchronize(stream_.get()));
    return executable;
  }

  Stream stream_ = make_stream();
  cudaLibrary_t library_ = nullptr;
  DeviceBuffer left_ = make_device_buffer(sizeof(unsigned));
};

}  // namespace trilane
