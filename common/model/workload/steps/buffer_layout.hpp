// Where the buffers of a pass lie on the host, and those of a chunk on the device.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "common/model/workload/workload.hpp"

namespace trilane {

/// The buffers of Trilane's own pipeline.
inline constexpr std::uint32_t own_input = 0, own_result = 1;

/// One buffer of every chunk. All in bytes.
struct BufferPlace {
  std::uint64_t bytes = 0, last_bytes = 0;  ///< of a chunk, of the last chunk
  std::uint64_t scratch_offset = 0;         ///< in a chunk's device memory
  std::uint64_t stride = 0;                 ///< on the host, from one chunk to the next
  /// Where the first chunk starts in the pass's input and output; absent if it is not copied that
  /// way.
  std::optional<std::uint64_t> in_start = {}, out_start = {};
};

struct Layout {
  std::uint32_t chunks = 0;
  std::vector<BufferPlace> buffers;
  std::uint64_t split = 0;                    ///< inputs of a chunk's device memory lie before it
  std::uint64_t scratch_bytes = 0;            ///< device memory of a chunk
  std::uint64_t in_bytes = 0, out_bytes = 0;  ///< host memory of the pass, with gaps; whole words

  std::uint64_t bytes(std::uint32_t buffer, std::uint32_t chunk) const {
    return chunk + 1 == chunks ? buffers[buffer].last_bytes : buffers[buffer].bytes;
  }
};

Layout layout_of(const Workload& workload);

/// Device bytes from chunk to chunk where all chunks of a pass lie side by side: no more than the
/// buffer's bytes if these are a multiple of 4, because Trilane's own kernels take any words; a
/// user's kernels get every chunk as aligned as cudaMalloc's memory.
std::uint64_t pitch_of(const Workload& workload, const BufferPlace& place);

/// Copies that move this buffer of all chunks together: one, or one more for a last chunk of
/// another size where chunks are apart.
std::uint32_t copies_together(const Workload& workload, const BufferPlace& place);

}  // namespace trilane
