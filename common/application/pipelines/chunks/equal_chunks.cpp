#include "common/application/pipelines/chunks/chunks.hpp"

namespace trilane {

namespace {

class ChunkComparison {
 public:
  ChunkComparison(const ChunkOperations& operations, const std::vector<ChunkChain>& chains)
      : operations_(operations), chains_(chains) {
    number_first();
    last_places_ = places_;
    for (std::size_t chunk = 1; chunk < chains.size(); ++chunk) last_places_ = compared(chunk);
    for (std::size_t stage = 0; stage < stages_.size(); ++stage) {
      for (const ChunkChain& chain : chains) stages_[stage].operations.push_back(chain[stage]);
    }
  }

  EqualChunks equal() const {
    EqualChunks equal{.stages = stages_};
    for (std::size_t i = 0; i < places_.size(); ++i) {
      equal.buffers.push_back(is_moved(i) ? moved_buffer(i) : scratch_buffer(i));
    }
    return equal;
  }

 private:
  bool is_moved(std::size_t buffer) const { return operations_.moved.contains(places_[buffer]); }

  ChunkBuffer moved_buffer(std::size_t number) const {
    ChunkBuffer buffer;
    const ChunkOperation* mover = nullptr;  // the first
    for (const ChunkStage& stage : stages_) {
      const ChunkOperation& first = operations_[stage.operations.front()];
      if (first.stage == Stage::transform || stage.buffers.front() != number) continue;
      const ChunkOperation& at_end = operations_[stage.operations.back()];
      buffer.copied_in = buffer.copied_in || first.stage == Stage::copy_in;
      buffer.copied_out = buffer.copied_out || first.stage == Stage::copy_out;
      if (!mover) {
        mover = &first;
        buffer.bytes = first.bytes;
        buffer.last_bytes = at_end.bytes;
      }
      if (buffer.bytes != first.bytes || buffer.last_bytes != at_end.bytes) {
        operations_.refuse(
            first, fmt::format("moves {} bytes of a buffer of {}; a pipeline file copies and "
                               "sets whole buffers",
                               first.bytes, buffer.bytes));
      }
    }
    const auto is_argument = [&](const ChunkStage& stage) {
      return operations_[stage.operations.front()].stage == Stage::transform &&
             includes(stage.buffers, number);
    };
    if (!buffer.copied_out && std::ranges::none_of(stages_, is_argument)) {
      operations_.refuse(*mover,
                         "no kernel of its chunk has an argument that points to this memory");
    }
    return buffer;
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
      operations_.refuse(
          *users.front(),
          fmt::format("argument {} points to memory that no chunk copies; a pipeline file has "
                      "no memory that holds data from before",
                      argument + 1));
    }
    ChunkBuffer buffer;
    buffer.bytes = bytes_up_to_next(places_[number]);
    buffer.last_bytes = std::min(buffer.bytes, bytes_up_to_next(last_places_[number]));
    if (buffer.last_bytes > 0) return buffer;
    operations_.refuse(*users.front(),
                       fmt::format("the size of the memory that argument {} points to is not "
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
          const bool equal = here.places[i] == places_[buffer];
          if (buffer == number) same = equal;
          if (is_moved(buffer)) others_same = others_same && equal;
        }
      }
      if (same && !others_same) return true;
    }
    return false;
  }

  std::uint64_t bytes_up_to_next(const DevicePlace& place) const {
    std::uint64_t end = operations_.recording.memory[place.memory].bytes;
    for (const ChunkOperation& operation : operations_.all) {
      for (const DevicePlace& other : operation.places) {
        const bool behind = other.memory == place.memory && other.offset > place.offset;
        if (behind) end = std::min(end, other.offset);
      }
    }
    return end > place.offset ? end - place.offset : 0;
  }

  std::string words_of(const ChunkOperation& operation) const {
    return words_of_call(operations_.recording, operation.call);
  }
  const ChunkOperation& operation(std::size_t chunk, std::size_t stage) const {
    return operations_[chains_[chunk][stage]];
  }

  void number_first() {
    for (const std::size_t number : chains_.front()) {
      ChunkStage& stage = stages_.emplace_back();
      for (const DevicePlace& place : operations_[number].places) {
        const auto known = std::ranges::find(places_, place);
        stage.buffers.push_back(static_cast<std::uint32_t>(known - places_.begin()));
        if (known == places_.end()) places_.push_back(place);
      }
    }
  }

  /// Returns where the chunk's buffers lie. Throws unless the chunk does what the first one does.
  std::vector<DevicePlace> compared(std::size_t chunk) const {
    const std::size_t both = std::min(chains_[chunk].size(), chains_.front().size());
    std::vector<std::optional<DevicePlace>> places(places_.size());
    for (std::size_t stage = 0; stage < both; ++stage) {
      compare(chunk, stage);
      const ChunkOperation& here = operation(chunk, stage);
      for (std::size_t i = 0; i < here.places.size(); ++i) {
        const std::uint32_t buffer = stages_[stage].buffers[i];
        const bool is_new = std::ranges::count(places, std::optional(here.places[i])) == 0;
        if (!places[buffer] && is_new) places[buffer] = here.places[i];
        if (places[buffer] == here.places[i]) continue;
        operations_.refuse(
            here, fmt::format("uses another buffer of its chunk than {}, in the first chunk",
                              words_of(operation(0, stage))));
      }
    }
    if (chains_[chunk].size() == chains_.front().size()) {
      return transformed(places, [](const auto& place) { return *place; });
    }
    const bool longer = chains_[chunk].size() > both;
    const ChunkOperation& odd = operation(longer ? chunk : 0, both);
    operations_.refuse(odd, fmt::format("the chunk that begins with {} has no such call",
                                        words_of(operation(longer ? 0 : chunk, 0))));
  }

  void compare(std::size_t chunk, std::size_t stage) const {
    const ChunkOperation& first = operation(0, stage);
    const ChunkOperation& here = operation(chunk, stage);
    const RecordedCall& one = operations_.call_of(first);
    const RecordedCall& other = operations_.call_of(here);
    const auto differs = [&](const std::string& what) {
      operations_.refuse(here,
                         fmt::format("{} than {}, in the first chunk", what, words_of(first)));
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

  const ChunkOperations& operations_;
  const std::vector<ChunkChain>& chains_;
  std::vector<DevicePlace> places_, last_places_;  ///< of the first and the last chunk's buffers
  std::vector<ChunkStage> stages_;
};

}  // namespace

EqualChunks equal_chunks(const ChunkOperations& operations, const std::vector<ChunkChain>& chains) {
  return ChunkComparison(operations, chains).equal();
}

}  // namespace trilane
