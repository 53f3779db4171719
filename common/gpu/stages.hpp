// The four stages as operations: one description of each, bound to host and device operands.
#pragma once

#include <driver_types.h>

#include <cstddef>
#include <cstdint>
#include <span>
#include <variant>

#include "common/workload/steps.hpp"
#include "kernels/transform.hpp"

namespace trilane {

/// The device operands of one chunk: its input, and its result at a 256-byte boundary. A view;
/// lane_scratch.hpp and chunk_scratch.hpp own the memory.
struct Scratch {
  std::byte* in = nullptr;
  std::byte* out = nullptr;
};

/// One stage of one chunk: to be enqueued on a stream, added to a graph, or set on a node of an
/// executable graph. All throw CudaError.
class Operation {
 public:
  struct Copy {
    void* to;
    const void* from;
    std::uint64_t bytes;
    cudaMemcpyKind direction;
  };
  struct Clear {
    void* to;
    std::uint64_t bytes;
  };

  explicit Operation(const Copy& copy) : work_(copy) {}
  explicit Operation(const Clear& clear) : work_(clear) {}
  explicit Operation(const KernelLaunch& launch) : work_(launch) {}

  /// Enqueues it on `stream` without waiting.
  void enqueue(cudaStream_t stream);

  /// Adds it to `graph` as a node that depends on `dependencies`, and returns the node.
  cudaGraphNode_t add_to(cudaGraph_t graph, std::span<const cudaGraphNode_t> dependencies);

  /// Gives `node` of the graph that `executable` was made from, an operation of this kind, these
  /// operands for launches from now on.
  void set_on(cudaGraphExec_t executable, cudaGraphNode_t node);

 private:
  std::variant<Copy, Clear, KernelLaunch> work_;
};

/// The chunk's input from the host into its scratch.
Operation copy_in(const Step& step, const Scratch& scratch);
/// The chunk's result set to zero, because the kernels accumulate into it.
Operation clear(const Step& step, const Scratch& scratch);
/// The step's kernel, from the chunk's input into its result.
Operation transform(const Step& step, const Scratch& scratch);
/// The chunk's result from its scratch to the host.
Operation copy_out(const Step& step, const Scratch& scratch);

}  // namespace trilane
