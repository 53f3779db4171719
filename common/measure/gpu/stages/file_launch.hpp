// A kernel of a pipeline file with its grid, its blocks and what its arguments are.
#pragma once

#include <vector>

#include "common/measure/gpu/stages/scratch.hpp"
#include "common/model/workload/steps/steps.hpp"
#include "kernels/launch.hpp"

namespace trilane {

class FileLaunch {
 public:
  /// Evaluated from `spec` for a chunk of the size that `extents` are of. `items` are those of a
  /// chunk before it.
  FileLaunch(const void* function, const KernelSpec& spec, const Extents::Launch& extents,
             std::uint64_t items);

  /// The launch for a chunk whose buffers are at these addresses: what the kernel only reads, and
  /// what it writes.
  KernelLaunch bind(std::uint32_t chunk, const Scratch& read, const Scratch& written) const;

 private:
  struct Slot {
    ArgumentKind kind;
    Element element;
    std::uint32_t buffer;
    std::uint64_t bits;  // of a value that is the same in each chunk; with an offset, items
  };

  const void* function_;
  dim3 grid_, block_;
  unsigned shared_bytes_;
  std::vector<Slot> slots_;
};

}  // namespace trilane
