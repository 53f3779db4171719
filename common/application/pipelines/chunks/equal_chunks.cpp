#include "common/application/pipelines/chunks/equal_chunks.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "common/application/pipelines/chunks/chunk_buffers.hpp"
#include "common/application/pipelines/chunks/refused_call.hpp"

namespace trilane {
namespace {

class ChunkComparison {
 public:
  ChunkComparison(const ApplicationRecording& recording,
                  const std::vector<ChunkOperation>& operations,
                  const std::vector<ChunkChain>& chains)
      : recording_(recording), operations_(operations), chains_(chains) {
    number_first();
    last_places_ = places_;
    for (std::size_t chunk = 1; chunk < chains.size(); ++chunk) last_places_ = compared(chunk);
    for (std::size_t stage = 0; stage < stages_.size(); ++stage) {
      for (const ChunkChain& chain : chains) stages_[stage].operations.push_back(chain[stage]);
    }
  }

  const std::vector<ChunkStage>& stages() const { return stages_; }
  ChunkPlaces places() const { return {.first = places_, .last = last_places_}; }

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

  const ApplicationRecording& recording_;
  const std::vector<ChunkOperation>& operations_;
  const std::vector<ChunkChain>& chains_;
  std::vector<DevicePlace> places_, last_places_;  ///< of the first and the last chunk's buffers
  std::vector<ChunkStage> stages_;
};

}  // namespace

EqualChunks equal_chunks(const ApplicationRecording& recording,
                         const std::vector<ChunkOperation>& operations, const MovedPlaces& moved,
                         const std::vector<ChunkChain>& chains) {
  const ChunkComparison comparison(recording, operations, chains);
  EqualChunks equal{.stages = comparison.stages(), .buffers = {}};
  equal.buffers = chunk_buffers(recording, operations, moved, equal.stages, comparison.places());
  return equal;
}

}  // namespace trilane
