// Recorded operations, made again with the CUDA runtime.
#pragma once

#include <driver_types.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "common/application/iteration/records/application_recording.hpp"

namespace trilane {

/// What an operation works on in place of the application's memory and code.
struct Operands {
  std::byte* to = nullptr;          ///< of a kernel: its one argument
  const std::byte* from = nullptr;  ///< of a copy
  std::uint64_t bytes = 0;          ///< of a copy or memset; 0: it does nothing
  std::shared_ptr<const void> kernel;
};

/// Whether it is a kernel, a copy or a memset: those that these functions take.
bool is_simulated(const RecordedCall& call);

/// Returns true if `holds` does for some call of the iteration.
bool any_call(const ApplicationRecording& recording, auto holds) {
  return std::ranges::any_of(recording.calls, holds);
}

/// Puts it into the stream. The host does not wait for it, unless memory is pageable.
void enqueue(const RecordedCall& call, const Operands& operands, cudaStream_t stream);

/// The same by the synchronous function if the application called that one, with its waits.
void make_again(const ApplicationRecording& recording, const RecordedCall& call,
                const Operands& operands, cudaStream_t stream);

/// A node of the graph, behind `after`.
cudaGraphNode_t add_to(cudaGraph_t graph, const RecordedCall& call, const Operands& operands,
                       const std::vector<cudaGraphNode_t>& after);

/// Sets a kernel's arguments or a copy's addresses in an executable graph.
void set_in(cudaGraphExec_t graph, cudaGraphNode_t node, const RecordedCall& call,
            const Operands& operands);

}  // namespace trilane
