#include "common/application/pipelines/making/chunked_iteration.hpp"

#include <fmt/format.h>

#include "common/application/pipelines/chunks/refused_call.hpp"
#include "common/base/text/exit_code.hpp"
#include "common/model/workload/file/fields.hpp"

namespace trilane {

ChunkedIteration::ChunkedIteration(const ApplicationRecording& recorded) : recording(recorded) {
  if (recording.found == Found::none) {
    throw UsageError("the recording holds no iteration; name its NVTX range with --iteration");
  }
  operations = chunk_operations(recording);
  if (operations.empty()) throw UsageError("the iteration holds no copies, memsets or kernels");
  const MovedPlaces moved = moved_places(recording, operations);
  chains = chunk_chains(recording, operations, moved);
  chunks = equal_chunks(recording, operations, moved, chains);
  require_at_most(most_stages, chunks.stages.size(), "operations in a chunk");
  require_at_most(most_buffers, chunks.buffers.size(), "buffers in a chunk");
  for (const RecordedKernel& kernel : recording.kernels) types.push_back(parameter_types(kernel));
}

void ChunkedIteration::refuse_last(const ChunkStage& stage, const std::string& why) const {
  refuse_call(recording, operations[stage.operations.back()].call, why);
}

void require_at_most(std::size_t most, std::size_t count, const std::string& what) {
  if (count <= most) return;
  throw UsageError(fmt::format("{} {}; a pipeline file has at most {}", count, what, most));
}

}  // namespace trilane
