// A kernel of a pipeline file with its grid, blocks and arguments.
#pragma once

#include <vector>

#include "common/measure/gpu/stages/scratch.hpp"
#include "common/model/workload/steps/steps.hpp"
#include "kernels/launch.hpp"

namespace trilane {

class FileLaunch {
 public:
  /// Evaluates `spec` for a chunk of the size in `extents`. `items` is the number of items of an
  /// earlier chunk.
  FileLaunch(const void* function, const KernelSpec& spec, const Extents::Launch& extents,
             std::uint64_t items);

  /// Returns the launch for a chunk whose buffers have these addresses: those that the kernel only
  /// reads, and those that it writes.
  KernelLaunch bind(std::uint32_t chunk, const Scratch& read, const Scratch& written) const;

 private:
  struct Slot {
    ArgumentKind kind;
    Element element;
    std::uint32_t buffer;
    std::uint64_t bits;  // a value that is the same in each chunk; items for an offset
  };

  const void* function_;
  dim3 grid_, block_;
  unsigned shared_bytes_;
  std::vector<Slot> slots_;
};

}  // namespace trilane
