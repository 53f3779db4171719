// A capture that may fail: with which error it ends, and how many nodes it holds.
#pragma once

#include "common/measure/ask/parts/experiment.hpp"

namespace trilane {

/// Makes calls while a stream is captured that synchronises with the legacy stream.
class TriedCapture {
 public:
  struct Outcome {
    cudaError_t code = cudaSuccess;  ///< of the capture's end
    std::size_t nodes = 0;           ///< of the captured graph; 0 if there is none
  };

  TriedCapture() {
    cudaStream_t stream = nullptr;
    check(cudaStreamCreate(&stream));
    stream_.reset(stream);
  }

  /// Captures `issue`, whose errors must not throw, and destroys the graph.
  Outcome operator()(cudaStreamCaptureMode mode, const std::function<void(cudaStream_t)>& issue) {
    check(cudaStreamBeginCapture(stream_.get(), mode));
    issue(stream_.get());
    cudaGraph_t captured = nullptr;
    Outcome outcome{cudaStreamEndCapture(stream_.get(), &captured)};
    const Graph graph(captured);
    if (captured != nullptr) check(cudaGraphGetNodes(captured, nullptr, &outcome.nodes));
    cudaGetLastError();  // so that no later check finds the error of a failed capture
    check(cudaDeviceSynchronize());
    return outcome;
  }

 private:
  std::unique_ptr<CUstream_st, Release<cudaStreamDestroy>> stream_;
};

/// Enqueues one copy to the device as a batch. Returns the call's error.
inline cudaError_t copy_in_batch(void* device, const void* host, std::size_t bytes,
                                 cudaStream_t stream) {
  std::size_t first = 0;
  cudaMemcpyAttributes how{};
  how.srcAccessOrder = cudaMemcpySrcAccessOrderStream;
  return cudaMemcpyBatchAsync(&device, &host, &bytes, 1, &how, &first, 1, stream);
}

}  // namespace trilane
