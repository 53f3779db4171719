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

  /// Captures `issue`, and destroys the graph. The capture ends even if `issue` throws.
  Outcome operator()(cudaStreamCaptureMode mode, const Issue& issue) {
    check(cudaStreamBeginCapture(stream_.get(), mode));
    try {
      issue(stream_.get());
    } catch (...) {
      end();
      throw;
    }
    const Outcome outcome = end();
    check(cudaDeviceSynchronize());
    return outcome;
  }

 private:
  Outcome end() {
    cudaGraph_t captured = nullptr;
    Outcome outcome{cudaStreamEndCapture(stream_.get(), &captured)};
    const Graph graph(captured);
    if (captured != nullptr) check(cudaGraphGetNodes(captured, nullptr, &outcome.nodes));
    cudaGetLastError();  // so that no later check finds the error of a failed capture
    return outcome;
  }

  OwnStream stream_ = make_blocking_stream();
};

/// Memory for calls that are tried while a stream is captured.
struct TriedMemory {
  static constexpr std::size_t bytes = 4 << 10;
  DeviceBuffer device = make_device_buffer(bytes);
  PinnedBuffer pinned = make_pinned_buffer(bytes);
  std::vector<std::byte> pageable = std::vector<std::byte>(bytes);
};

/// Returns the error of a copy to the device from pageable memory.
inline cudaError_t copy_pageable(const TriedMemory& memory, cudaStream_t stream) {
  return cudaMemcpyAsync(memory.device.get(), memory.pageable.data(), memory.bytes,
                         cudaMemcpyDefault, stream);
}

/// Returns the error of a batch of one copy to the device.
inline cudaError_t copy_in_batch(const TriedMemory& memory, cudaStream_t stream) {
  void* to = memory.device.get();
  const void* from = memory.pinned.get();
  std::size_t bytes = memory.bytes, first = 0;
  cudaMemcpyAttributes how{};
  how.srcAccessOrder = cudaMemcpySrcAccessOrderStream;
  return cudaMemcpyBatchAsync(&to, &from, &bytes, 1, &how, &first, 1, stream);
}

/// Allocates with cudaMalloc and, if that is permitted, frees.
inline void try_allocation() {
  void* memory = nullptr;
  if (cudaMalloc(&memory, TriedMemory::bytes) == cudaSuccess) cudaFree(memory);
}

}  // namespace trilane
