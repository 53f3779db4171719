// Converts the operations of an iteration to stages of chunks, each with the device memory that it
// works on.
#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "common/application/iteration/records/application_recording.hpp"
#include "common/model/workload/pipeline/pipeline.hpp"

namespace trilane {

/// Returns "kernel scale #7": a call as the diagnosis numbers it, from 0.
std::string words_of_call(const ApplicationRecording& recording, std::size_t call);

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

/// By place: the most bytes that copies and memsets move, starting there.
using MovedPlaces = std::map<DevicePlace, std::uint64_t>;

/// The operations of an iteration. Leaves out host waits, events, allocations and frees: each
/// variant has its own.
struct ChunkOperations {
  /// Throws UsageError if there is no iteration, and otherwise one that names the call
  /// - if no pipeline file can state it;
  /// - if bytes that copies and memsets move overlap, but begin at different places;
  /// - if a kernel's argument points behind the beginning of such bytes.
  explicit ChunkOperations(const ApplicationRecording& recorded);

  const ChunkOperation& operator[](std::size_t number) const { return all[number]; }
  const RecordedCall& call_of(const ChunkOperation& operation) const {
    return recording.calls[operation.call];
  }
  /// Throws UsageError that names the operation's call.
  [[noreturn]] void refuse(const ChunkOperation& operation, const std::string& why) const;

  const ApplicationRecording& recording;
  std::vector<ChunkOperation> all;  ///< in issue order
  MovedPlaces moved;                ///< by copies and memsets
};

}  // namespace trilane
