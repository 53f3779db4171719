#include "common/device/simulator/hazards/host_watch.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "common/device/simulator/hazards/fingerprint.hpp"

namespace trilane::simulator {

namespace {

bool are_same_bytes(const Access& one, const Access& other) {
  return one.range == other.range && one.rows == other.rows && one.pitch == other.pitch;
}

/// Returns true if an operation may read or change watched bytes. It may touch only the gaps
/// between rows: a superfluous check does no harm.
bool may_touch(const Operation& operation, const Access& watched, bool only_change) {
  if (operation.task->kind == Kind::host_function) return true;
  return std::ranges::any_of(operation.task->accesses, [&](const Access& access) {
    return access.span().overlaps(watched.span()) && !(only_change && access.touch == Touch::read);
  });
}

}  // namespace

void HostWatch::issued(const OperationPtr& operation, const Memory& memory) {
  for (const Access& access : operation->task->accesses) {
    const Range range = access.span();
    const Block block = memory.find(reinterpret_cast<const void*>(range.begin));
    // A stray pointer must not be followed; the hazard check reports it.
    const bool is_there = block.place == Place::pageable
                              ? takes_pageable(*operation->task, access.touch)
                              : range.end <= block.range.end;
    if (is_on_device(block.place) || !is_there || range.end <= range.begin) continue;
    auto watched = std::ranges::find_if(
        watched_, [&](const Watched& other) { return are_same_bytes(other.rows, access); });
    if (watched == watched_.end()) {
      watched = watched_.insert(watched, {access, block.place, fingerprint_of(access), {}});
    }
    watched->under_way.push_back(operation);
  }
}

void HostWatch::before_work(const Operation& operation, Hazards& hazards) {
  for (Watched& watched : watched_) {
    if (may_touch(operation, watched.rows, false)) look_at(watched, hazards);
  }
}

void HostWatch::after_work(const Operation& operation) {
  for (Watched& watched : watched_) {
    if (may_touch(operation, watched.rows, true)) {
      watched.fingerprint = fingerprint_of(watched.rows);
    }
  }
}

void HostWatch::host_waited(const Order& order, Hazards& hazards) {
  const auto is_known = [&](const OperationPtr& operation) {
    return order.host_knows(operation->position);
  };
  for (Watched& watched : watched_) {
    if (std::ranges::none_of(watched.under_way, is_known)) continue;
    look_at(watched, hazards);
    std::erase_if(watched.under_way, is_known);
  }
  std::erase_if(watched_, [](const Watched& watched) { return watched.under_way.empty(); });
}

void HostWatch::look_at(Watched& watched, Hazards& hazards) {
  if (watched.reported || fingerprint_of(watched.rows) == watched.fingerprint) return;
  watched.reported = true;
  hazards.report(Hazard::host_touched,
                 fmt::format("the host changed bytes while {} was under way: {}",
                             describe(*watched.under_way.front()),
                             describe(watched.rows.span(), watched.place)));
}

}  // namespace trilane::simulator
