// The stages as operations, bound to their host and device operands.
#pragma once

#include "common/measure/gpu/operation.hpp"
#include "common/model/workload/steps.hpp"

namespace trilane {

/// The addresses of a chunk's buffers, aligned to 256 bytes unless chunks lie side by side. This is
/// a view: scratch.hpp has the owners.
struct Scratch {
  std::array<std::byte*, most_buffers> at{};

  std::byte* operator[](std::uint32_t buffer) const { return at[buffer]; }
};

/// Returns a chunk's view of `memory`, which holds all of its buffers.
inline Scratch scratch_view(std::byte* memory, const Layout& layout) {
  Scratch view;
  for (std::size_t i = 0; i < layout.buffers.size(); ++i) {
    view.at[i] = memory + layout.buffers[i].scratch_offset;
  }
  return view;
}

/// Returns the step's kernel.
Operation transform(const Step& step, const Scratch& scratch);

/// Returns the step's operation:
/// - the copy of one of the chunk's inputs from the host,
/// - the memset of one of its buffers, because Trilane's kernels accumulate into their result,
/// - its kernel,
/// - the copy of one of its results to the host.
Operation operation_of(const Step& step, const Scratch& scratch);

/// A kernel of a pipeline file with its grid, blocks and arguments.
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
