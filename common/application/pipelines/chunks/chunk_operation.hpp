// Converts the operations of an iteration to stages of chunks, each with the device memory that it
// works on.
#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <map>
#include <vector>

#include "common/application/iteration/records/application_recording.hpp"
#include "common/model/workload/pipeline/pipeline.hpp"

namespace trilane {

/// The beginning of a buffer in device memory.
struct DevicePlace {
  std::uint32_t memory = 0;  ///< index in ApplicationRecording::memory
  std::uint64_t offset = 0;
  auto operator<=>(const DevicePlace&) const = default;
};

/// A copy, memset or kernel of the iteration.
struct ChunkOperation {
  std::size_t call = 0;  ///< in ApplicationRecording::calls
  Stage stage = Stage::copy_in;
  std::vector<DevicePlace> places;        ///< one, or one for each pointer of a kernel
  std::vector<std::uint32_t> parameters;  ///< for a kernel: by place, the parameter's number
  std::uint64_t bytes = 0;                ///< for a copy or memset
  std::uint8_t value = 0;                 ///< for a memset
};

/// Returns the operations in issue order. Leaves out host waits, events, allocations and frees:
/// each variant has its own. Throws UsageError that names a call that no pipeline file can state.
std::vector<ChunkOperation> chunk_operations(const ApplicationRecording& recording);

/// By place: the most bytes that copies and memsets move, starting there.
using MovedPlaces = std::map<DevicePlace, std::uint64_t>;

/// Returns the places that copies and memsets move. Throws UsageError if their bytes overlap but
/// begin at different places, or if a kernel's argument points behind the beginning of such bytes.
MovedPlaces moved_places(const ApplicationRecording& recording,
                         const std::vector<ChunkOperation>& operations);

}  // namespace trilane
