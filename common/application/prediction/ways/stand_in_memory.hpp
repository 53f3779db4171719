// Memory in place of the application's, without its content.
#pragma once

#include <driver_types.h>

#include "common/application/iteration/application_recording.hpp"
#include "common/application/prediction/ways/simulated_operation.hpp"
#include "common/measure/gpu/runtime/handles.hpp"

namespace trilane {

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
  std::byte* address_of(const UsedRange* used) const;
  std::vector<std::uint64_t> needed() const;
  void keep_recorded();
  double recorded_us(const RecordedCall& call) const { return share_ * call.call_us.value_or(0); }

  const ApplicationRecording& recording_;
  MemoryRules rules_;
  double share_ = 1;           // share of the recorded times, without the cost of listening to all
                               // calls
  MemoryPool pool_;            // with that rule
  std::vector<Piece> pieces_;  // by index in the recording
  std::vector<std::unique_ptr<std::byte[]>> pageable_;
  std::vector<std::shared_ptr<const void>> kernels_;  // by call
};

}  // namespace trilane
