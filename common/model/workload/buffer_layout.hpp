// The layout of a pass's buffers on the host, and of a chunk's on the device.
#pragma once

#include "common/model/workload/workload.hpp"

namespace trilane {

/// The buffers of Trilane's own pipeline.
inline constexpr std::uint32_t own_input = 0, own_result = 1;

/// One buffer of every chunk. All sizes in bytes.
struct BufferPlace {
  std::uint64_t bytes = 0, last_bytes = 0;  ///< of a chunk, of the last chunk
  std::uint64_t scratch_offset = 0;         ///< in a chunk's device memory
  std::uint64_t stride = 0;                 ///< on the host, from one chunk to the next
  /// The start of the first chunk in the pass's input and output; absent if not copied that way.
  std::optional<std::uint64_t> in_start = {}, out_start = {};
};

struct Layout {
  std::uint32_t chunks = 0;
  std::vector<BufferPlace> buffers{};
  std::uint64_t split = 0;                    ///< inputs precede it in a chunk's device memory
  std::uint64_t scratch_bytes = 0;            ///< device memory of a chunk
  std::uint64_t in_bytes = 0, out_bytes = 0;  ///< host memory of the pass, with gaps; whole words

  std::uint64_t bytes(std::uint32_t buffer, std::uint32_t chunk) const {
    return chunk + 1 == chunks ? buffers[buffer].last_bytes : buffers[buffer].bytes;
  }
};

Layout layout_of(const Workload& workload);

/// Returns the device bytes from chunk to chunk if all chunks of a pass lie side by side. Trilane's
/// own kernels accept any word, so their chunks have no gaps. A user's kernels get every chunk with
/// the alignment of cudaMalloc's memory.
std::uint64_t pitch_of(const Workload& workload, const BufferPlace& place);

/// Returns the number of copies that move this buffer of all chunks together: one, plus one for a
/// last chunk of a different size if chunks have gaps.
std::uint32_t copies_together(const Workload& workload, const BufferPlace& place);

/// Returns the number of pool allocations for the device memory of a chunk: 1, or 2 if the policy
/// asks for separate memory for the inputs and a chunk has both inputs and other buffers.
std::uint32_t allocations_per_chunk(const Layout& layout, const PoolPolicy& policy);

/// Returns the number of pool allocations for all chunks of a pass.
std::uint64_t allocations_of_pass(const Workload& workload, const PoolPolicy& policy);

}  // namespace trilane
