#include "common/device/simulator/hazards/hazards.hpp"

#include <fmt/format.h>

#include "common/device/simulator/hazards/hazard_rules.hpp"

namespace trilane::simulator {

namespace {

bool reads(const Access& access) {
  return access.touch == Touch::read || access.touch == Touch::read_write;
}

}  // namespace

void Hazards::check(const OperationPtr& operation, const Memory& memory) {
  // Reads first: an operation's own writes do not make its reads valid.
  for (const bool reading : {true, false}) {
    for (const Access& access : operation->task->accesses) {
      if (reads(access) != reading) continue;
      const std::size_t added = findings_.added();
      for_each_row(access, [&](const Range& row) {
        touch(operation, {row, access.touch}, memory);
      });
      if (access.rows > 1) findings_.keep_one_of_each_since(added);
    }
  }
  if (findings_.added() > 0) findings_.report_added(describe(*operation), operation->lane);
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
    findings_.add(Hazard::outside, "touches bytes beyond an allocation", nullptr,
                  {inside.end, range.end}, block.place);
  }
  const Segments::Part part = segments_.tile(inside, block.place);
  for (auto& [begin, segment] : part) {
    Past& past = segment.past;
    if (block.place != Place::pageable || past.life == Life::users) past.place = block.place;
    apply_access(operation, access.touch, {begin, segment.end}, past, findings_);
  }
  if (access.touch != Touch::read) segments_.join(part);
}

void Hazards::touch_nothing(const OperationPtr& operation, const Access& access) {
  bool was_released = false;
  for (auto& [begin, segment] : segments_.part(access.range)) {
    if (segment.past.life != Life::released) continue;
    was_released = true;
    apply_access(operation, access.touch, {begin, segment.end}, segment.past, findings_);
  }
  if (was_released) return;
  const bool releases = access.touch == Touch::release;
  findings_.add(releases ? Hazard::double_free : Hazard::outside,
                fmt::format("{} bytes outside all allocations", releases ? "releases" : "touches"),
                nullptr, access.range, Place::pageable);
}

void Hazards::released_by_host(const Range& range, const Order& order, const std::string& call) {
  const Segments::Part part = segments_.part(range);
  for (auto& [begin, segment] : part) {
    const Range bytes{begin, segment.end};
    Past& past = segment.past;
    if (past.life == Life::released) {
      findings_.add(Hazard::double_free,
                    "releases what was already released by " + releaser_of(past),
                    past.releaser.get(), bytes, past.place);
      continue;
    }
    const auto must_know = [&](const OperationPtr& user) {
      if (!user || order.host_knows(user->position)) return;
      findings_.add(Hazard::free_before_last_use,
                    "before the host has waited for " + describe(*user), user.get(), bytes,
                    past.place);
    };
    must_know(past.allocator);
    for (const Use& use : past.uses) must_know(use.operation);
    if (past.life == Life::users) continue;
    const Place place = past.place;
    past = fresh_past(place);
    past.life = Life::released;
    past.released_by = call;
  }
  segments_.join(part);
  findings_.report_added(call, call);
}

}  // namespace trilane::simulator
