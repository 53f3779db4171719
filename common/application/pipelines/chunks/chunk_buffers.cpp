#include "common/application/pipelines/chunks/chunk_buffers.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "common/application/pipelines/chunks/refused_call.hpp"

namespace trilane {
namespace {

class BufferSizes {
 public:
  BufferSizes(const ApplicationRecording& recording, const std::vector<ChunkOperation>& operations,
              const MovedPlaces& moved, const std::vector<ChunkStage>& stages,
              const ChunkPlaces& places)
      : recording_(recording),
        operations_(operations),
        moved_(moved),
        stages_(stages),
        places_(places) {}

  ChunkBuffer buffer(std::size_t number) const {
    return moved_.contains(places_.first[number]) ? moved_buffer(number) : scratch_buffer(number);
  }

 private:
  [[noreturn]] void refuse(const ChunkOperation& operation, const std::string& why) const {
    refuse_call(recording_, operation.call, why);
  }

  ChunkBuffer moved_buffer(std::size_t number) const {
    ChunkBuffer buffer;
    for (const ChunkStage& stage : stages_) {
      const ChunkOperation& first = operations_[stage.operations.front()];
      if (first.stage == Stage::transform || stage.buffers.front() != number) continue;
      const ChunkOperation& at_end = operations_[stage.operations.back()];
      buffer.copied_in = buffer.copied_in || first.stage == Stage::copy_in;
      buffer.copied_out = buffer.copied_out || first.stage == Stage::copy_out;
      if (buffer.bytes == 0) {
        buffer.bytes = first.bytes;
        buffer.last_bytes = at_end.bytes;
      }
      if (buffer.bytes != first.bytes || buffer.last_bytes != at_end.bytes) {
        refuse(first, fmt::format("moves {} bytes of a buffer of {}; a pipeline file copies and "
                                  "sets whole buffers",
                                  first.bytes, buffer.bytes));
      }
    }
    if (!buffer.copied_out) require_kernel(number);
    return buffer;
  }

  /// Throws unless a kernel works on the buffer, which nothing copies out.
  void require_kernel(std::size_t number) const {
    for (const ChunkStage& stage : stages_) {
      if (operations_[stage.operations.front()].stage != Stage::transform) continue;
      if (std::ranges::count(stage.buffers, number) > 0) return;
    }
    for (const ChunkStage& stage : stages_) {
      const ChunkOperation& first = operations_[stage.operations.front()];
      if (first.stage == Stage::transform || stage.buffers.front() != number) continue;
      refuse(first, "no kernel of its chunk has an argument that points to this memory");
    }
  }

  ChunkBuffer scratch_buffer(std::size_t number) const {
    std::vector<const ChunkOperation*> users;
    std::uint32_t argument = 0;
    for (const ChunkStage& stage : stages_) {
      const auto used = std::ranges::find(stage.buffers, number);
      if (used == stage.buffers.end()) continue;
      users.push_back(&operations_[stage.operations.front()]);
      if (users.size() > 1) continue;
      argument = users.front()->parameters[static_cast<std::size_t>(used - stage.buffers.begin())];
    }
    if (users.size() < 2 || is_shared(number)) {
      refuse(*users.front(),
             fmt::format("argument {} points to memory that no chunk copies; a pipeline file has "
                         "no memory that holds data from before",
                         argument + 1));
    }
    ChunkBuffer buffer;
    buffer.bytes = bytes_up_to_next(places_.first[number]);
    buffer.last_bytes = std::min(buffer.bytes, bytes_up_to_next(places_.last[number]));
    if (buffer.last_bytes > 0) return buffer;
    refuse(*users.front(), fmt::format("the size of the memory that argument {} points to is not "
                                       "known",
                                       argument + 1));
  }

  /// Returns true if other chunks use this memory but share no other memory with the first one.
  bool is_shared(std::size_t number) const {
    for (std::size_t chunk = 1; chunk < stages_.front().operations.size(); ++chunk) {
      bool same = false, others_same = true;
      for (const ChunkStage& stage : stages_) {
        const ChunkOperation& here = operations_[stage.operations[chunk]];
        for (std::size_t i = 0; i < here.places.size(); ++i) {
          const std::uint32_t buffer = stage.buffers[i];
          const bool equal = here.places[i] == places_.first[buffer];
          if (buffer == number) same = equal;
          if (moved_.contains(places_.first[buffer])) others_same = others_same && equal;
        }
      }
      if (same && !others_same) return true;
    }
    return false;
  }

  std::uint64_t bytes_up_to_next(const DevicePlace& place) const {
    const std::uint64_t all = recording_.memory[place.memory].bytes;
    std::uint64_t end = all;
    for (const ChunkOperation& operation : operations_) {
      for (const DevicePlace& other : operation.places) {
        const bool behind = other.memory == place.memory && other.offset > place.offset;
        if (behind) end = std::min(end, other.offset);
      }
    }
    return end > place.offset ? end - place.offset : 0;
  }

  const ApplicationRecording& recording_;
  const std::vector<ChunkOperation>& operations_;
  const MovedPlaces& moved_;
  const std::vector<ChunkStage>& stages_;
  const ChunkPlaces& places_;
};

}  // namespace

std::vector<ChunkBuffer> chunk_buffers(const ApplicationRecording& recording,
                                       const std::vector<ChunkOperation>& operations,
                                       const MovedPlaces& moved,
                                       const std::vector<ChunkStage>& stages,
                                       const ChunkPlaces& places) {
  const BufferSizes sizes(recording, operations, moved, stages, places);
  std::vector<ChunkBuffer> buffers;
  for (std::size_t i = 0; i < places.first.size(); ++i) buffers.push_back(sizes.buffer(i));
  return buffers;
}

}  // namespace trilane
