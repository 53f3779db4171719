// Determines the sizes of the buffers that every chunk has.
#pragma once

#include <vector>

#include "common/application/pipelines/chunks/equal_chunks.hpp"

namespace trilane {

/// By buffer: its place in the first chunk and in the last.
struct ChunkPlaces {
  std::vector<DevicePlace> first, last;
};

/// Returns each buffer's size and copy direction. Memory that only kernels use is as large as
/// possible without reaching into other memory. Throws UsageError that names the call
/// - if a buffer is moved in part;
/// - if no kernel works on what is copied in;
/// - if memory would have to hold data from before the iteration or from other chunks.
std::vector<ChunkBuffer> chunk_buffers(const ApplicationRecording& recording,
                                       const std::vector<ChunkOperation>& operations,
                                       const MovedPlaces& moved,
                                       const std::vector<ChunkStage>& stages,
                                       const ChunkPlaces& places);

}  // namespace trilane
