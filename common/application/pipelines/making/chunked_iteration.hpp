// Holds an iteration as equal chunks, and what its kernels' names say.
#pragma once

#include <vector>

#include "common/application/pipelines/chunks/equal_chunks.hpp"
#include "common/application/pipelines/making/parameter_types.hpp"

namespace trilane {

struct ChunkedIteration {
  /// Throws a one-line UsageError that names the call that does not fit.
  explicit ChunkedIteration(const ApplicationRecording& recorded);

  const ChunkOperation& first_of(const ChunkStage& stage) const {
    return operations[stage.operations.front()];
  }
  const RecordedCall& call_of(const ChunkStage& stage, std::size_t chunk) const {
    return recording.calls[operations[stage.operations[chunk]].call];
  }
  /// Throws UsageError that names the stage's call in the last chunk.
  [[noreturn]] void refuse_last(const ChunkStage& stage, const std::string& why) const;

  const ApplicationRecording& recording;
  std::vector<ChunkOperation> operations;
  std::vector<ChunkChain> chains;
  EqualChunks chunks;
  std::vector<std::vector<ParameterType>> types;  ///< by kernel
};

/// Throws UsageError if `count` exceeds `most`, the limit of a pipeline file.
void require_at_most(std::size_t most, std::size_t count, const std::string& what);

}  // namespace trilane
