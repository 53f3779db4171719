// Determines the device memory that an iteration's copies and memsets work on.
#pragma once

#include <cstdint>
#include <map>
#include <vector>

#include "common/application/pipelines/chunks/chunk_operation.hpp"

namespace trilane {

/// By place: the most bytes that copies and memsets move, starting there.
using MovedPlaces = std::map<DevicePlace, std::uint64_t>;

/// Returns the places that copies and memsets move. Throws UsageError if their bytes overlap but
/// begin at different places, or if a kernel's argument points behind the beginning of such bytes.
MovedPlaces moved_places(const ApplicationRecording& recording,
                         const std::vector<ChunkOperation>& operations);

}  // namespace trilane
