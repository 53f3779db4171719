#include "common/device/simulator/hazards/host_watch.hpp"

#include <bit>

namespace trilane::simulator {

namespace {

/// Mixes a word into the sum. Each step is invertible, so one changed word always changes the sum.
/// The rotation moves high bits, which a multiplication does not spread, down for the next step.
std::uint64_t step(std::uint64_t sum, std::uint64_t word) {
  return std::rotl(sum ^ word, 29) * 0x9e3779b97f4a7c15;
}

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

std::uint64_t fingerprint_of(const Range& range) {
  // Several independent sums, because a single one would wait for each multiplication.
  using Words = std::array<std::uint64_t, 8>;
  Words sums = {1, 2, 3, 4, 5, 6, 7, 8};  // a sum of 0 would ignore leading zeros
  const auto add = [&sums](const Words& words) {
    for (std::size_t i = 0; i < words.size(); ++i) sums[i] = step(sums[i], words[i]);
  };
  const auto* at = reinterpret_cast<const std::byte*>(range.begin);
  std::uint64_t left = range.size();
  for (Words words; left >= sizeof words; at += sizeof words, left -= sizeof words) {
    std::memcpy(&words, at, sizeof words);
    add(words);
  }
  Words rest{};
  std::memcpy(&rest, at, left);
  add(rest);
  std::uint64_t fingerprint = 0;
  for (const std::uint64_t sum : sums) fingerprint = step(fingerprint, sum);
  return fingerprint;
}

std::uint64_t fingerprint_of(const Access& access) {
  std::uint64_t fingerprint = 0;
  for_each_row(access,
               [&](const Range& row) { fingerprint = step(fingerprint, fingerprint_of(row)); });
  return fingerprint;
}

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

void HostWatch::host_waited(const OperationOrder& order, Hazards& hazards) {
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
                 fmt::format("the host changed bytes while {} was running: {}",
                             describe(*watched.under_way.front()),
                             describe(watched.rows.span(), watched.place)));
}

}  // namespace trilane::simulator
