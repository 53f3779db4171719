// Issues an iteration again on the simulated device, in several ways: operations, streams, memory.
#pragma once

#include <driver_types.h>

#include "common/application/iteration/application_recording.hpp"
#include "common/application/iteration/diagnosis.hpp"
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

/// Returns true for kernels, and for the application's graphs: each is simulated as one kernel.
inline bool is_one_kernel(const RecordedCall& call) {
  return call.kind == CallKind::kernel || call.kind == CallKind::graph_launch;
}

/// Returns true for what these functions take: kernels, copies, memsets and graphs.
inline bool is_simulated(const RecordedCall& call) {
  return role_of(call.kind) == CallRole::work || is_one_kernel(call);
}

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

/// Returns true if the iteration calls cudaMalloc, cudaFree or the functions for pinned memory, and
/// all times of these calls are known. They depend on what else the process holds.
bool has_recorded_allocations(const ApplicationRecording& recording);

/// Changes to an iteration's memory by a way of running it.
struct MemoryRules {
  bool pinned = false;          ///< instead of pageable
  bool pool = false;            ///< stream-ordered instead of cudaMalloc and cudaFree
  bool allocated_once = false;  ///< the iteration's allocations exist from the start
};

class StandInMemory : boost::noncopyable {
 public:
  /// Allocates what copies and memsets use. Throws OutOfMemory and std::bad_alloc.
  StandInMemory(const ApplicationRecording& recording, MemoryRules rules);
  ~StandInMemory();

  /// Returns the operands of a kernel, copy or memset, by its index in the recording. A kernel
  /// takes its recorded time, a copy of several rows that of as many bytes in one row.
  Operands operands_of(std::size_t call) const;

  /// Makes a call that allocates or frees. If memory is allocated once, spends the recorded time.
  void allocate(const RecordedCall& call, cudaStream_t stream);
  void free(const RecordedCall& call, cudaStream_t stream);

 private:
  enum class Made { not_now, device, pool, pinned, pageable };
  struct Piece {
    std::byte* address = nullptr;
    Made made = Made::not_now;
    std::uint64_t bytes = 0;
    bool timed_only = false;  ///< exists from the start; its calls only take their time
  };

  Made kind_of(const RecordedMemory& memory) const;
  void make(Piece& piece, Made how, cudaStream_t stream);
  void release(Piece& piece, cudaStream_t stream);
  std::byte* address_of(const UsedRange* used) const {
    return used == nullptr ? nullptr : pieces_[used->memory].address + used->offset;
  }
  std::vector<std::uint64_t> needed() const;
  void keep_recorded();
  double recorded_us(const RecordedCall& call) const { return share_ * call.call_us.value_or(0); }

  const ApplicationRecording& recording_;
  MemoryRules rules_;
  double share_ = 1;           // of the recorded times, without what listening to all calls costs
  MemoryPool pool_;            // with that rule
  std::vector<Piece> pieces_;  // by index in the recording
  std::vector<std::unique_ptr<std::byte[]>> pageable_;
  std::vector<std::shared_ptr<const void>> kernels_;  // by call
};

/// Runs one iteration, with the host's own time and waits; the profile's calls have the runtime's.
using SimulatedPass = std::function<void()>;

/// Makes a pass. `recording` must outlive it, and must not be one that why_not_simulated() refuses.
/// Throws CudaError, OutOfMemory and std::bad_alloc.
SimulatedPass make_pass(SimulatedWay way, const ApplicationRecording& recording);

/// Copies in, copies out, and all other operations.
inline constexpr std::size_t planned_engines = 3;

/// One operation, or a wait of the host.
struct EngineStep {
  std::uint32_t call = 0;    ///< index in ApplicationRecording::calls
  std::uint32_t engine = 0;  ///< for an operation its own; for a wait the one to wait on
  bool operation = true;     ///< otherwise a wait for everything
  std::vector<std::uint32_t> after_calls{};  ///< on other engines; from `call` on, of the previous
  std::vector<std::uint32_t> join{};         ///< for a wait: engines not implied by its own
  bool needed = false;                       ///< an operation on another engine follows it
  bool operator==(const EngineStep&) const = default;
};

/// Returns the steps in call order, as they are once the iteration repeats. Operations that use the
/// same bytes, at least one writing, keep their order. A kernel may use and write what its
/// arguments point into; one without known memory keeps its order with everything.
std::vector<EngineStep> engine_plan(const ApplicationRecording& recording);

}  // namespace trilane
