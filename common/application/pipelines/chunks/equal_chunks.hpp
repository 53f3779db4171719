// Recognises chunks that do the same, each with its own buffers.
#pragma once

#include <cstdint>
#include <vector>

#include "common/application/pipelines/chunks/chunk_chains.hpp"

namespace trilane {

/// A buffer that every chunk has. In bytes.
struct ChunkBuffer {
  std::uint64_t bytes = 0, last_bytes = 0;  ///< in a chunk, in the last chunk
  bool copied_in = false, copied_out = false;
};

/// One operation of every chunk.
struct ChunkStage {
  std::vector<std::size_t> operations;  ///< by chunk
  std::vector<std::uint32_t> buffers;   ///< one, or one for each pointer of a kernel
};

struct EqualChunks {
  std::vector<ChunkStage> stages;  ///< in issue order
  std::vector<ChunkBuffer> buffers;
};

/// Returns what the chains have in common. The last chunk may copy and set less than the others,
/// and launch other grids; everything else is the same. Throws UsageError that names the first call
/// that does not fit.
EqualChunks equal_chunks(const ApplicationRecording& recording,
                         const std::vector<ChunkOperation>& operations, const MovedPlaces& moved,
                         const std::vector<ChunkChain>& chains);

}  // namespace trilane
