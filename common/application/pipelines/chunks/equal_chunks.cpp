#include "common/application/pipelines/chunks/equal_chunks.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

namespace trilane {
namespace {

class ChunkComparison {
 public:
  ChunkComparison(const ApplicationRecording& recording,
                  const std::vector<ChunkOperation>& operations, const MovedPlaces& moved,
                  const std::vector<ChunkChain>& chains)
      : recording_(recording), operations_(operations), moved_(moved), chains_(chains) {}

  EqualChunks chunks() {
    number_first();
    std::vector<DevicePlace> last = places_;
    for (std::size_t chunk = 1; chunk < chains_.size(); ++chunk) last = compared(chunk);
    for (std::size_t stage = 0; stage < chains_.front().size(); ++stage) {
      for (const ChunkChain& chain : chains_) {
        common_.stages[stage].operations.push_back(chain[stage]);
      }
    }
    for (std::size_t i = 0; i < places_.size(); ++i) measure(i, last[i]);
    return std::move(common_);
  }

 private:
  [[noreturn]] void refuse(const ChunkOperation& operation, const std::string& why) const {
    refuse_call(recording_, operation.call, why);
  }
  std::string words_of(const ChunkOperation& operation) const {
    return words_of_call(recording_, operation.call);
  }
  const ChunkOperation& operation(std::size_t chunk, std::size_t stage) const {
    return operations_[chains_[chunk][stage]];
  }

  /// Numbers the buffers of the first chunk in the order of their first use.
  void number_first() {
    for (const std::size_t number : chains_.front()) {
      ChunkStage& stage = common_.stages.emplace_back();
      for (const DevicePlace& place : operations_[number].places) {
        const auto known = std::ranges::find(places_, place);
        stage.buffers.push_back(static_cast<std::uint32_t>(known - places_.begin()));
        if (known == places_.end()) places_.push_back(place);
      }
    }
  }

  /// Throws unless the chunk does what the first one does; returns where its buffers lie.
  std::vector<DevicePlace> compared(std::size_t chunk) const {
    const std::size_t both = std::min(chains_[chunk].size(), chains_.front().size());
    std::vector<std::optional<DevicePlace>> places(places_.size());
    for (std::size_t stage = 0; stage < both; ++stage) {
      compare(chunk, stage);
      const ChunkOperation& here = operation(chunk, stage);
      for (std::size_t i = 0; i < here.places.size(); ++i) {
        const std::uint32_t buffer = common_.stages[stage].buffers[i];
        const bool is_new = std::ranges::count(places, std::optional(here.places[i])) == 0;
        if (!places[buffer] && is_new) places[buffer] = here.places[i];
        if (places[buffer] == here.places[i]) continue;
        refuse(here, fmt::format("uses another buffer of its chunk than {}, in the first chunk",
                                 words_of(operation(0, stage))));
      }
    }
    if (chains_[chunk].size() == chains_.front().size()) {
      std::vector<DevicePlace> found;
      for (const auto& place : places) found.push_back(*place);
      return found;
    }
    const bool longer = chains_[chunk].size() > both;
    const ChunkOperation& odd = operation(longer ? chunk : 0, both);
    refuse(odd, fmt::format("the chunk that begins with {} has no such call",
                            words_of(operation(longer ? 0 : chunk, 0))));
  }

  void compare(std::size_t chunk, std::size_t stage) const {
    const ChunkOperation& first = operation(0, stage);
    const ChunkOperation& here = operation(chunk, stage);
    const RecordedCall& one = recording_.calls[first.call];
    const RecordedCall& other = recording_.calls[here.call];
    const auto differs = [&](const std::string& what) {
      refuse(here, fmt::format("{} than {}, in the first chunk", what, words_of(first)));
    };
    if (first.stage != here.stage || one.kernel != other.kernel) {
      differs("does something else at this place of its chunk");
    }
    if (first.value != here.value) differs("sets other bytes");
    if (first.parameters != here.parameters) differs("has pointers in other arguments");
    if (one.block != other.block) differs("has other blocks");
    if (one.shared_bytes != other.shared_bytes) differs("has other shared memory");
    const bool last = chunk + 1 == chains_.size();
    if (!last && one.grid != other.grid) differs("has another grid");
    if (!last && first.bytes != here.bytes) {
      differs(fmt::format("moves {} bytes, other", here.bytes));
    }
    if (here.bytes > first.bytes) differs(fmt::format("moves {} bytes, more", here.bytes));
  }

  /// How large the buffer is, and which way it is copied.
  void measure(std::size_t number, const DevicePlace& last) {
    ChunkBuffer& buffer = common_.buffers.emplace_back();
    if (!moved_.contains(places_[number])) return measure_scratch(number, last);
    for (const ChunkStage& stage : common_.stages) {
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
    require_kernels(number);
  }

  /// A kernel must work on what is copied in, and something must write what is copied out.
  void require_kernels(std::size_t number) const {
    for (const ChunkStage& stage : common_.stages) {
      if (operations_[stage.operations.front()].stage != Stage::transform) continue;
      if (std::ranges::count(stage.buffers, number) > 0) return;
    }
    const ChunkBuffer& buffer = common_.buffers[number];
    if (buffer.copied_out) return;
    for (const ChunkStage& stage : common_.stages) {
      const ChunkOperation& first = operations_[stage.operations.front()];
      if (first.stage == Stage::transform || stage.buffers.front() != number) continue;
      refuse(first, "no kernel of its chunk has an argument that points to this memory");
    }
  }

  /// Memory that only kernels use: as large as it can be without reaching into other memory.
  void measure_scratch(std::size_t number, const DevicePlace& last) {
    std::vector<const ChunkOperation*> users;
    std::uint32_t argument = 0;
    for (const ChunkStage& stage : common_.stages) {
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
    ChunkBuffer& buffer = common_.buffers[number];
    buffer.bytes = bytes_up_to_next(places_[number]);
    buffer.last_bytes = std::min(buffer.bytes, bytes_up_to_next(last));
    if (buffer.last_bytes > 0) return;
    refuse(*users.front(), fmt::format("the size of the memory that argument {} points to is not "
                                       "known",
                                       argument + 1));
  }

  /// Whether chunks use this memory that share no other memory with the first one.
  bool is_shared(std::size_t number) const {
    for (std::size_t chunk = 1; chunk < chains_.size(); ++chunk) {
      bool same = false, others_same = true;
      for (std::size_t stage = 0; stage < common_.stages.size(); ++stage) {
        const ChunkOperation& here = operation(chunk, stage);
        for (std::size_t i = 0; i < here.places.size(); ++i) {
          const std::uint32_t buffer = common_.stages[stage].buffers[i];
          const bool equal = here.places[i] == places_[buffer];
          if (buffer == number) same = equal;
          if (moved_.contains(places_[buffer])) others_same = others_same && equal;
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
  const std::vector<ChunkChain>& chains_;
  std::vector<DevicePlace> places_;  ///< of the first chunk's buffers
  EqualChunks common_;
};

}  // namespace

EqualChunks equal_chunks(const ApplicationRecording& recording,
                         const std::vector<ChunkOperation>& operations, const MovedPlaces& moved,
                         const std::vector<ChunkChain>& chains) {
  return ChunkComparison(recording, operations, moved, chains).chunks();
}

}  // namespace trilane
