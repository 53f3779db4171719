// The past of every byte, for the hazard check.
#include <algorithm>
#include <iterator>
#include <utility>

#include "common/device/simulator/hazards/hazards.hpp"

namespace trilane::simulator {

Past fresh_past(Place place) {
  Past past;
  past.place = place;
  if (place == Place::registered || place == Place::pageable) return past;
  past.life = is_stream_ordered(place) ? Life::reserved : Life::allocated;
  past.written = place == Place::pinned;
  return past;
}

Segments::Map::iterator Segments::split(Map::iterator segment, std::uintptr_t at) {
  Segment upper = segment->second;
  segment->second.end = at;
  return map_.emplace_hint(std::next(segment), at, std::move(upper));
}

Segments::Part Segments::part(const Range& range) {
  if (range.begin >= range.end) return {map_.end(), map_.end()};  // wraps around, or is empty
  auto first = map_.lower_bound(range.begin);
  const bool is_one =
      first != map_.end() && first->first == range.begin && first->second.end == range.end;
  if (is_one) return {first, std::next(first)};
  if (first != map_.begin() && std::prev(first)->second.end > range.begin) {
    first = split(std::prev(first), range.begin);
  }
  auto after = map_.lower_bound(range.end);
  if (after != map_.begin() && std::prev(after)->second.end > range.end) {
    after = split(std::prev(after), range.end);
  }
  return {first, after};
}

Segments::Part Segments::tile(const Range& range, Place place) {
  auto first = part(range).begin();
  auto next = first;
  for (std::uintptr_t at = range.begin; at < range.end; at = next->second.end, ++next) {
    if (next != map_.end() && next->first == at) continue;
    const std::uintptr_t end = next == map_.end() ? range.end : std::min(range.end, next->first);
    next = map_.emplace_hint(next, at, Segment{end, fresh_past(place)});
    if (at == range.begin) first = next;
  }
  return {first, next};
}

void Segments::join(const Part& part) {
  if (part.empty()) return;
  auto first = part.begin();
  for (auto next = std::next(first); next != part.end();) {
    if (first->second.end == next->first && first->second.past == next->second.past) {
      first->second.end = next->second.end;
      next = map_.erase(next);
    } else {
      first = next++;
    }
  }
}

void Segments::replace(const Range& range, Past past) {
  const Part old = part(range);
  map_.erase(old.begin(), old.end());
  map_.emplace_hint(old.end(), range.begin, Segment{range.end, std::move(past)});
}

}  // namespace trilane::simulator
