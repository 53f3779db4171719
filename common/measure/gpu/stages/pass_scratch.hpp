// Scratch memory allocated once for a whole pass. The chunks lie side by side, as on the host, so
// one copy moves all of them.
#pragma once

#include <vector>

#include "common/measure/gpu/runtime/handles.hpp"
#include "common/measure/gpu/stages/stages.hpp"
#include "common/model/workload/steps/stage_runs.hpp"

namespace trilane {

class PassScratch {
 public:
  explicit PassScratch(const Job& job);

  /// Returns the view of the step's chunk. In Trilane's own pipeline a chunk may start at any word.
  Scratch operator[](const Step& step) const;

  /// Enqueues a copy or memset for all chunks at once. Chunks with gaps take one copy of rows, and
  /// another copy for a last chunk of a different size.
  void enqueue_together(const StageRun& run, cudaStream_t stream) const;

 private:
  /// One buffer of all chunks.
  struct Region {
    DeviceBuffer memory;
    std::uint64_t pitch, bytes;
  };

  void copy_together(const Step& first, std::byte* to, std::uint64_t to_pitch,
                     const std::byte* from, std::uint64_t from_pitch, cudaMemcpyKind direction,
                     cudaStream_t stream) const;

  const Job& job_;
  std::vector<Region> regions_;
};

}  // namespace trilane
