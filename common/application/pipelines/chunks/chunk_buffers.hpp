// The sizes of the buffers that every chunk has.
#pragma once

#include <vector>

#include "common/application/pipelines/chunks/equal_chunks.hpp"

namespace trilane {

/// By buffer: where it lies in the first chunk and in the last.
struct ChunkPlaces {
  std::vector<DevicePlace> first, last;
};

/// How large each buffer is, and which way it is copied. Memory that only kernels use is as large
/// as it can be without reaching into other memory. Throws UsageError that names the call where a
/// buffer is moved in part, where no kernel works on what is copied in, or where memory would have
/// to hold data from before the iteration or from other chunks.
std::vector<ChunkBuffer> chunk_buffers(const ApplicationRecording& recording,
                                       const std::vector<ChunkOperation>& operations,
                                       const MovedPlaces& moved,
                                       const std::vector<ChunkStage>& stages,
                                       const ChunkPlaces& places);

}  // namespace trilane
