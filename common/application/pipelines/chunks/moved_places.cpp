#include "common/application/pipelines/chunks/moved_places.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "common/application/pipelines/chunks/refused_call.hpp"

namespace trilane {
namespace {

/// Returns the moved bytes that hold the place, if they begin before it.
const MovedPlaces::value_type* around(const MovedPlaces& moved, const DevicePlace& place) {
  auto next = moved.upper_bound(place);
  if (next == moved.begin()) return nullptr;
  const auto& found = *--next;
  const bool inside = found.first.memory == place.memory && found.first < place &&
                      place.offset - found.first.offset < found.second;
  return inside ? &found : nullptr;
}

}  // namespace

MovedPlaces moved_places(const ApplicationRecording& recording,
                         const std::vector<ChunkOperation>& operations) {
  MovedPlaces moved;
  for (const ChunkOperation& operation : operations) {
    if (operation.stage == Stage::transform) continue;
    std::uint64_t& bytes = moved[operation.places.front()];
    bytes = std::max(bytes, operation.bytes);
  }
  for (const ChunkOperation& operation : operations) {
    for (std::size_t i = 0; i < operation.places.size(); ++i) {
      const auto* const other = around(moved, operation.places[i]);
      if (other == nullptr) continue;
      const auto mover = std::ranges::find_if(operations, [&](const ChunkOperation& one) {
        return one.stage != Stage::transform && one.places.front() == other->first;
      });
      const std::string into =
          fmt::format("into the middle of what {} {}", words_of_call(recording, mover->call),
                      mover->stage == Stage::clear ? "sets" : "copies");
      refuse_call(
          recording, operation.call,
          operation.stage == Stage::transform
              ? fmt::format("argument {} points {}; a pipeline file passes whole buffers",
                            operation.parameters[i] + 1, into)
              : fmt::format("reaches {}; a pipeline file copies and sets whole buffers", into));
    }
  }
  return moved;
}

}  // namespace trilane
