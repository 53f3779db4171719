// The device memory that an iteration's copies and memsets work on.
#pragma once

#include <cstdint>
#include <map>
#include <vector>

#include "common/application/pipelines/chunks/chunk_operation.hpp"

namespace trilane {

/// What copies and memsets move: the most bytes from each place on.
using MovedPlaces = std::map<DevicePlace, std::uint64_t>;

/// The places that copies and memsets move. Throws UsageError where their bytes overlap and do not
/// begin together, or where a kernel's argument points behind the beginning of such bytes.
MovedPlaces moved_places(const ApplicationRecording& recording,
                         const std::vector<ChunkOperation>& operations);

}  // namespace trilane
