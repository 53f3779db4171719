#include "common/device/simulator/memory/segments.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

namespace trilane::simulator {

Past fresh_past(Place place) {
  Past past;
  past.place = place;
  if (place == Place::registered || place == Place::pageable) return past;
  const bool in_stream_order = place == Place::pool || place == Place::graph;
  past.life = in_stream_order ? Life::reserved : Life::allocated;
  past.written = place == Place::pinned;
  return past;
}

Segments::Map::iterator Segments::split(Map::iterator segment, std::uintptr_t at) {
  Segment upper = segment->second;
  segment->second.end = at;
  return map_.emplace_hint(std::next(segment), at, std::move(upper));
}

Segments::Map::iterator Segments::part(const Range& range) {
  auto first = map_.lower_bound(range.begin);
  const bool is_one =
      first != map_.end() && first->first == range.begin && first->second.end == range.end;
  if (is_one) return first;
  if (first != map_.begin() && std::prev(first)->second.end > range.begin) {
    first = split(std::prev(first), range.begin);
  }
  const auto after = map_.lower_bound(range.end);
  if (after != map_.begin() && std::prev(after)->second.end > range.end) {
    split(std::prev(after), range.end);
  }
  return first;
}

Segments::Map::iterator Segments::tile(const Range& range, Place place) {
  auto first = part(range);
  auto next = first;
  for (std::uintptr_t at = range.begin; at < range.end; at = next->second.end, ++next) {
    if (next != map_.end() && next->first == at) continue;
    const std::uintptr_t end = next == map_.end() ? range.end : std::min(range.end, next->first);
    next = map_.emplace_hint(next, at, Segment{end, fresh_past(place)});
    if (at == range.begin) first = next;
  }
  return first;
}

void Segments::join(Map::iterator first, std::uintptr_t end) {
  for (auto next = std::next(first); next != map_.end() && next->first < end;) {
    if (first->second.end == next->first && first->second.past == next->second.past) {
      first->second.end = next->second.end;
      next = map_.erase(next);
    } else {
      first = next++;
    }
  }
}

void Segments::replace(const Range& range, Past past) {
  auto next = part(range);
  while (next != map_.end() && next->first < range.end) next = map_.erase(next);
  map_.emplace_hint(next, range.begin, Segment{range.end, std::move(past)});
}

}  // namespace trilane::simulator
