#include "common/device/simulator/hazards/hazards.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace trilane::simulator {

namespace {

bool reads_first(Touch touch) { return touch == Touch::read || touch == Touch::read_write; }

}  // namespace

void Hazards::check(const OperationPtr& operation, const Memory& memory) {
  // An operation reads before it writes: its own writing does not make its reading right.
  const std::vector<Access>& accesses = operation->task->accesses;
  for (const Access& access : accesses) {
    if (reads_first(access.touch)) touch(operation, access, memory);
  }
  for (const Access& access : accesses) {
    if (!reads_first(access.touch)) touch(operation, access, memory);
  }
  if (!found_.empty()) tell(describe(*operation), operation->lane);
}

void Hazards::touch(const OperationPtr& operation, const Access& access, const Memory& memory) {
  const Range& range = access.range;
  if (range.begin == range.end) return;
  const Block block = memory.find(reinterpret_cast<const void*>(range.begin));
  const bool is_there =
      block.place != Place::pageable || takes_pageable(*operation->task, access.touch);
  if (!is_there || range.end < range.begin) return touch_nothing(operation, access);
  Range inside = range;
  if (block.place != Place::pageable && range.end > block.range.end) {
    inside.end = block.range.end;
    find(Hazard::outside, "touches bytes beyond an allocation", nullptr, {inside.end, range.end},
         block.place);
  }
  const auto first = segments_.tile(inside, block.place);
  for (auto segment = first; segment != segments_.end() && segment->first < inside.end; ++segment) {
    Past& past = segment->second.past;
    if (block.place != Place::pageable || past.life == Life::users) past.place = block.place;
    apply(operation, access.touch, {segment->first, segment->second.end}, past);
  }
  if (access.touch != Touch::read) segments_.join(first, inside.end);
}

void Hazards::touch_nothing(const OperationPtr& operation, const Access& access) {
  bool was_released = false;
  auto segment = segments_.part(access.range);
  for (; segment != segments_.end() && segment->first < access.range.end; ++segment) {
    Past& past = segment->second.past;
    if (past.life != Life::released) continue;
    was_released = true;
    apply(operation, access.touch, {segment->first, segment->second.end}, past);
  }
  if (was_released) return;
  const bool releases = access.touch == Touch::release;
  find(releases ? Hazard::double_free : Hazard::outside,
       fmt::format("{} bytes of no allocation", releases ? "releases" : "touches"), nullptr,
       access.range, Place::pageable);
}

void Hazards::released_by_host(const Range& range, const Order& order, const std::string& call) {
  const auto first = segments_.part(range);
  for (auto segment = first; segment != segments_.end() && segment->first < range.end; ++segment) {
    const Range bytes{segment->first, segment->second.end};
    Past& past = segment->second.past;
    if (past.life == Life::released) {
      find(Hazard::double_free, "releases what has been released by " + releaser_of(past),
           past.releaser.get(), bytes, past.place);
      continue;
    }
    const auto must_know = [&](const OperationPtr& user) {
      if (!user || order.host_knows(user->position)) return;
      find(Hazard::free_before_last_use, "before the host has waited for " + describe(*user),
           user.get(), bytes, past.place);
    };
    must_know(past.allocator);
    for (const Use& use : past.uses) must_know(use.operation);
    if (past.life == Life::users) continue;
    const Place place = past.place;
    past = fresh_past(place);
    past.life = Life::released;
    past.released_by = call;
  }
  if (first != segments_.end()) segments_.join(first, range.end);
  tell(call, call);
}

void Hazards::find(Hazard hazard, std::string text, const Operation* other, const Range& range,
                   Place place) {
  // Bytes beside each other often have the same mistake.
  for (Finding& same : found_) {
    if (same.hazard != hazard || same.text != text || same.range.end != range.begin) continue;
    same.range.end = range.end;
    return;
  }
  found_.push_back({hazard, std::move(text), other == nullptr ? "" : other->lane, range, place});
}

void Hazards::tell(const std::string& who, const std::string& lane) {
  for (const Finding& found : found_) {
    const auto [begin, end] = found.range;
    if (!told_.emplace(found.hazard, begin, end, lane, found.other_lane).second) continue;
    report(found.hazard,
           fmt::format("{} {}: {}", who, found.text, describe(found.range, found.place)));
  }
  found_.clear();
}

void Hazards::clear() {
  reports_.clear();
  told_.clear();
}

}  // namespace trilane::simulator
