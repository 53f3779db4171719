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
/// and launch other grids; everything else is the same. Memory that only kernels use is as large as
/// possible without reaching into other memory. Throws UsageError that names the call
/// - if it does not fit its chunk;
/// - if a buffer is moved in part;
/// - if no kernel works on what is copied in;
/// - if memory would have to hold data from before the iteration or from other chunks.
EqualChunks equal_chunks(const ChunkOperations& operations, const std::vector<ChunkChain>& chains);

}  // namespace trilane
