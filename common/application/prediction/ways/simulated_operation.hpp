// Issues recorded operations again with the CUDA runtime, in streams in place of the application's.
#pragma once

#include <driver_types.h>

#include "common/application/iteration/application_recording.hpp"
#include "common/measure/gpu/runtime/handles.hpp"

namespace trilane {

/// Memory and code that an operation uses in place of the application's.
struct Operands {
  std::byte* to = nullptr;          ///< for a kernel: its one argument
  const std::byte* from = nullptr;  ///< of a copy
  std::uint64_t bytes = 0;          ///< for a copy or memset; 0: it does nothing
  std::shared_ptr<const void> kernel;
  std::vector<Operands> copies{};  ///< of a batch; then the others are not used
};

/// Returns true for what these functions take: kernels, copies, memsets and graphs.
bool is_simulated(const RecordedCall& call);

/// Returns true for kernels, and for the application's graphs: each is simulated as one kernel.
bool is_one_kernel(const RecordedCall& call);

/// Puts the operation into the stream. The launch of a graph takes its recorded time. The host
/// waits for it only if memory is pageable.
void enqueue(const RecordedCall& call, const Operands& operands, cudaStream_t stream);

/// Does the same, but by the synchronous function if the application called that one.
void make_again(const ApplicationRecording& recording, const RecordedCall& call,
                const Operands& operands, cudaStream_t stream);

/// Adds the operation to the graph, after the nodes `after`. Returns its node.
cudaGraphNode_t add_to(cudaGraph_t graph, const RecordedCall& call, const Operands& operands,
                       const std::vector<cudaGraphNode_t>& after);

/// Sets a kernel's arguments or a copy's addresses in an executable graph.
void set_in(cudaGraphExec_t graph, cudaGraphNode_t node, const RecordedCall& call,
            const Operands& operands);

/// Streams and events in place of the application's.
class StandInStreams {
 public:
  explicit StandInStreams(const ApplicationRecording& recording);

  /// Returns the stream by its index in the recording; of the same kind.
  cudaStream_t stream(std::uint32_t index) const { return handles_[index]; }

  /// Makes a call that orders streams and the host, or a query; ignores other calls.
  void order(const RecordedCall& call) const;

 private:
  std::vector<Stream> own_;
  std::vector<cudaStream_t> handles_;
  std::vector<Event> events_;  // by number
};

}  // namespace trilane
