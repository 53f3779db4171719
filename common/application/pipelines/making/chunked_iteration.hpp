// Holds an iteration as equal chunks, and what its kernels' names say.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "common/application/iteration/records/recorded_call.hpp"
#include "common/application/pipelines/chunks/equal_chunks.hpp"
#include "common/model/workload/pipeline/element.hpp"

namespace trilane {

/// One parameter, as far as it is known.
struct ParameterType {
  bool is_const = false;           ///< points to what the kernel only reads
  std::optional<Element> element;  ///< its type, or what it points to
};

/// Returns an integer type of that many bytes: 1, 2, 4 or 8.
Element integer_of(std::uint64_t bytes);

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
  [[noreturn]] void refuse_last(const ChunkStage& stage, const std::string& why) const;

  ChunkOperations operations;
  std::vector<ChunkChain> chains;
  EqualChunks chunks;
  std::vector<std::vector<ParameterType>> types;  ///< by kernel
};

/// Throws UsageError if `count` exceeds `most`, the limit of a pipeline file.
void require_at_most(std::size_t most, std::size_t count, const std::string& what);

}  // namespace trilane
