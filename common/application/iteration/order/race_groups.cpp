#include "common/application/iteration/order/race_groups.hpp"

#include <algorithm>
#include <functional>
#include <utility>

#include "common/application/iteration/order/call_traits.hpp"

namespace trilane {
namespace {

bool is_other(const RecordedCall& call) { return call.kind == CallKind::other; }

/// Returns true if the operation uses every byte of the range: a pitched copy skips some.
bool is_exact(const RecordedCall& call, const UsedRange& range) {
  if (range.use == Use::may_use) return false;
  const bool pitched = moves_bytes(call.kind);
  return !pitched || range.bytes <= call.bytes;
}

}  // namespace

RaceGroups::RaceGroups(const ApplicationRecording& recording)
    : recording_(recording),
      other_orders_(recording.queried || std::ranges::any_of(recording.calls, is_other)) {}

void RaceGroups::add(const UnorderedPair& race) {
  const Key key = key_of(race);
  const auto [group, is_new] = groups_.try_emplace(key);
  if (is_new) group->second = race_of(race, key);
  ++group->second.count;
}

std::vector<RecordedRace> RaceGroups::all() const {
  std::vector<RecordedRace> races;
  for (const auto& [key, race] : groups_) {
    if (!race.next_iteration || !is_told(key)) races.push_back(race);
  }
  std::ranges::stable_sort(races, std::greater{}, [](const RecordedRace& race) {
    return std::tuple(race.certain, !race.next_iteration, race.count);
  });
  return races;
}

const RecordedCall& RaceGroups::call_at(std::size_t place) const {
  return recording_.calls[place % recording_.calls.size()];
}

RaceSide RaceGroups::side(const RecordedAccess& access) const {
  const char* const where = access.in_graph ? " in the graph" : "";
  return {.call = access.place % recording_.calls.size(),
          .what = operation_name(*access.operation, recording_) + where,
          .stream = call_at(access.place).stream,
          .use = access.range->use};
}

RaceGroups::SideKey RaceGroups::key_of(const RecordedAccess& access) const {
  const RecordedCall& operation = *access.operation;
  const std::uint32_t stream = call_at(access.place).stream;
  return {operation.kind, operation.kernel, stream, access.range->use, access.in_graph};
}

RaceGroups::Key RaceGroups::key_of(const UnorderedPair& pair) const {
  return {.certain = !other_orders_ && is_exact(*pair.first.operation, *pair.first.range) &&
                     is_exact(*pair.second.operation, *pair.second.range),
          .next_iteration = pair.second.place >= recording_.calls.size(),
          .memory = pair.first.range->memory,
          .first = key_of(pair.first),
          .second = key_of(pair.second)};
}

RecordedRace RaceGroups::race_of(const UnorderedPair& pair, const Key& key) const {
  const UsedRange &one = *pair.first.range, &two = *pair.second.range;
  const std::uint64_t from = std::max(one.offset, two.offset);
  const std::uint64_t to = std::min(one.offset + one.bytes, two.offset + two.bytes);
  return {.certain = key.certain,
          .next_iteration = key.next_iteration,
          .memory = one.memory,
          .memory_kind = recording_.memory[one.memory].kind,
          .offset = from,
          .bytes = to - from,
          .earlier = side(pair.first),
          .later = side(pair.second),
          .count = 0};
}

/// Returns true if similar operations race in one iteration, in either order.
bool RaceGroups::is_told(Key key) const {
  key.next_iteration = false;
  if (groups_.contains(key)) return true;
  std::swap(key.first, key.second);
  return groups_.contains(key);
}

}  // namespace trilane
