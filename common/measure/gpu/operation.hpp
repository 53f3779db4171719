// An operation with its operands, for a stream or a graph.
#pragma once

#include <driver_types.h>

#include "common/device/flavour/tracer.hpp"
#include "kernels/launch.hpp"

namespace trilane {

/// A copy, a memset or a kernel. It can be enqueued on a stream, added to a graph, or set on a node
/// of an executable graph. Each function throws CudaError.
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

  /// `label` names the chunk; the default is for an operation on the whole pass. An `early` kernel
  /// may start before the preceding kernel ends (programmatic dependent launch), and waits for it
  /// in cudaGridDependencySynchronize.
  explicit Operation(const Work& work, Label label = {}, bool early = false)
      : work_(work), label_(label), early_(early) {}

  /// Enqueues it on `stream` without waiting.
  void enqueue(cudaStream_t stream);

  /// Enqueues an early kernel so that it may start before the preceding kernel on `stream` ends. If
  /// the stream is being captured, the edge between them is programmatic. Any other operation is
  /// enqueued as by enqueue().
  void enqueue_early(cudaStream_t stream);

  /// Adds it to `graph` as a node that depends on `dependencies`, and returns the node.
  cudaGraphNode_t add_to(cudaGraph_t graph, std::span<const cudaGraphNode_t> dependencies);

  /// Sets these operands on `node` for later launches of `executable`. `node` must belong to the
  /// graph from which `executable` was instantiated, and be of this kind.
  void set_on(cudaGraphExec_t executable, cudaGraphNode_t node);

 private:
  Work work_;
  Label label_;
  bool early_;
};

}  // namespace trilane
