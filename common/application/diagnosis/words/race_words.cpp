#include "common/application/diagnosis/words/race_words.hpp"

#include <fmt/format.h>

#include "common/base/text/layout.hpp"
#include "common/base/text/words.hpp"

namespace trilane {
namespace {

constexpr std::size_t name_width = 60;

std::string side_in_words(const RaceSide& side) {
  return fmt::format("{} #{} on stream {} {}", clipped(side.what, name_width), side.call,
                     side.stream, name_of(side.use));
}

}  // namespace

std::string sentence_on(const RecordedRace& race) {
  const std::string pairs = race.count > 1 ? fmt::format(" ({} such pairs)", race.count) : "";
  const std::string simulated = !race.confirmed   ? ""
                                : *race.confirmed ? ", in any legal order of the simulated device"
                                                  : ", but the simulated device finds one";
  return fmt::format(
      "{}: {} bytes {}..{} of memory {} ({}) while {}{} them: no order between them{}{}.",
      race.certain ? "Certain" : "Possible", side_in_words(race.earlier), race.offset,
      race.offset + race.bytes - 1, race.memory, name_of(race.memory_kind),
      race.next_iteration ? "the next iteration's " : "", side_in_words(race.later), simulated,
      pairs);
}

}  // namespace trilane
