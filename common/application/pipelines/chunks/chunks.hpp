// Recognises the chunks of an iteration: its operations as stages, each with the device memory that
// it works on; those of one chunk; and chunks that do the same.
#pragma once

#include <compare>

#include "common/application/iteration/application_recording.hpp"
#include "common/model/workload/pipeline/pipeline.hpp"

namespace trilane {

/// Returns "kernel scale at call 7", as the diagnosis names places.
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
  std::vector<DevicePlace> places{};        ///< one, or one for each pointer of a kernel
  std::vector<std::uint32_t> parameters{};  ///< for a kernel: by place, the parameter's number
  std::uint64_t bytes = 0;                  ///< for a copy or memset
  std::uint8_t value = 0;                   ///< for a memset
};

/// By place: the most bytes that copies and memsets move, starting there.
using MovedPlaces = std::map<DevicePlace, std::uint64_t>;

/// The operations of an iteration, without host waits, events, allocations and frees.
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

/// The operations of one chunk in issue order, as indices.
using ChunkChain = std::vector<std::size_t>;

/// Returns the operations of each chunk, in the order of the first ones: those that work on the
/// same device memory, until it is filled anew. Memory that only kernels point to joins them too.
/// Throws UsageError that names the call if several chunks share such memory, if one copies out
/// unwritten memory, or if one copies in what another has copied out.
std::vector<ChunkChain> chunk_chains(const ChunkOperations& operations);

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
  std::vector<ChunkBuffer> buffers{};
};

/// Returns what the chains have in common. The last chunk may copy and set less than the others,
/// and launch other grids. Memory that only kernels use is as large as possible without reaching
/// into other memory. Throws UsageError that names the call if it does not fit its chunk; if a
/// buffer is moved in part, if no kernel works on what is copied in, or if memory would keep data.
EqualChunks equal_chunks(const ChunkOperations& operations, const std::vector<ChunkChain>& chains);

/// One parameter, as far as it is known.
struct ParameterType {
  bool is_const = false;           ///< points to what the kernel only reads
  std::optional<Element> element;  ///< its type, or what it points to
};

/// An iteration as equal chunks, and what its kernels' names say.
struct ChunkedIteration {
  /// Throws a one-line UsageError that names the call that does not fit.
  explicit ChunkedIteration(const ApplicationRecording& recorded);

  const ApplicationRecording& recording() const { return operations.recording; }
  const ChunkOperation& first_of(const ChunkStage& stage) const {
    return operations[stage.operations.front()];
  }
  const RecordedCall& call_of(const ChunkStage& stage, std::size_t chunk) const {
    return operations.call_of(operations[stage.operations[chunk]]);
  }
  /// Throws UsageError that names the stage's call in the last chunk.
  [[noreturn]] void refuse_last(const ChunkStage& stage, const std::string& why) const {
    operations.refuse(operations[stage.operations.back()], why);
  }

  ChunkOperations operations;
  std::vector<ChunkChain> chains;
  EqualChunks chunks;
  std::vector<std::vector<ParameterType>> types;  ///< by kernel
};

/// Throws UsageError if `count` exceeds `most`, the limit of a pipeline file.
void require_at_most(std::size_t most, std::size_t count, const std::string& what);

}  // namespace trilane
