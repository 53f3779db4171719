// An operation with its operands, to be used on a stream or in a graph.
#pragma once

#include <driver_types.h>

#include <cstdint>
#include <span>
#include <variant>

#include "common/device/flavour/label.hpp"
#include "kernels/launch.hpp"

namespace trilane {

/// A copy, a memset or a kernel. It can be enqueued on a stream, added to a graph, or set on a node
/// of an executable graph. Each throws CudaError.
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
    std::uint8_t value = 0;  ///< of every byte
  };

  using Work = std::variant<Copy, Clear, KernelLaunch>;

  /// `label` names the chunk; the default is for an operation on the whole pass. `early`: a kernel
  /// that waits for the one right in front of it by itself (cudaGridDependencySynchronize).
  explicit Operation(const Work& work, Label label = {}, bool early = false)
      : work_(work), label_(label), early_(early) {}

  /// Enqueues it on `stream` without waiting.
  void enqueue(cudaStream_t stream);

  /// Enqueues an early kernel so that it may start before the kernel right in front of it on
  /// `stream` ends. Where the stream is captured, the edge between them is a programmatic one. Any
  /// other operation as enqueue().
  void enqueue_early(cudaStream_t stream);

  /// Adds it to `graph` as a node that depends on `dependencies`, and returns the node.
  cudaGraphNode_t add_to(cudaGraph_t graph, std::span<const cudaGraphNode_t> dependencies);

  /// Sets these operands on `node` for later launches of `executable`. `node` belongs to the graph
  /// that `executable` was made from, and is of this kind.
  void set_on(cudaGraphExec_t executable, cudaGraphNode_t node);

 private:
  Work work_;
  Label label_;
  bool early_;
};

}  // namespace trilane
