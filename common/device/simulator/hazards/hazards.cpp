#include "common/device/simulator/hazards/hazards.hpp"

namespace trilane::simulator {

namespace {

bool ordered(const OperationPtr& first, const OperationPtr& second) {
  return !first || first == second || OperationOrder::before(first->position, second->position);
}

const char* verb_of(bool writes) { return writes ? "writes" : "reads"; }

/// Returns what released the bytes, for reports: an operation or a call of the host.
std::string releaser_of(const Past& past) {
  return past.releaser ? describe(*past.releaser) : past.released_by;
}

struct Touching {
  const OperationPtr& operation;
  Range range;
  Past& past;
  Findings& findings;

  void find(Hazard hazard, const std::string& text, const OperationPtr& other = nullptr) const {
    findings.add(hazard, text, other.get(), range, past.place);
  }

  /// Reports a hazard unless both are ordered. `verb` describes this one, `other_verb` the other.
  void require_order(Hazard hazard, const char* verb, const OperationPtr& other,
                     const char* other_verb) const {
    if (findings.is_full() || ordered(other, operation)) return;
    find(hazard,
         fmt::format("{} what {} {}, with no order between them", verb, describe(*other),
                     other_verb),
         other);
  }

  /// Reports earlier uses without an order, of which two reads need none.
  void require_order_with_uses(Hazard hazard, const char* verb, bool only_reads = false) const {
    for (const Use& earlier : past.uses) {
      if (only_reads && !earlier.writes) continue;
      require_order(hazard, verb, earlier.operation, verb_of(earlier.writes));
    }
  }

  /// Drops the earlier uses that this operation is ordered after.
  void forget_uses_before(bool reads_only) const {
    std::erase_if(past.uses, [&](const Use& earlier) {
      return !(reads_only && earlier.writes) && ordered(earlier.operation, operation);
    });
  }

  void use(bool reads, bool writes) const {
    const char* const verb = verb_of(writes);
    if (past.life == Life::released) {
      return find(Hazard::use_after_free,
                  fmt::format("{} what {} has released", verb, releaser_of(past)), past.releaser);
    }
    if (past.life == Life::reserved) {
      return find(Hazard::use_before_allocation,
                  fmt::format("{} what no operation has allocated", verb));
    }
    require_order(Hazard::use_before_allocation, verb, past.allocator, "allocates");
    require_order_with_uses(Hazard::unordered, verb, !writes);
    if (reads && !past.written) {
      find(Hazard::uninitialised_read, "reads what nothing has written");
    }
    forget_uses_before(!writes);
    past.uses.push_back({operation, writes});
    past.written = past.written || writes;
  }

  void allocate() const {
    require_order(Hazard::unordered, "allocates", past.allocator, "allocates");
    require_order_with_uses(Hazard::unordered, "allocates");
    require_order(Hazard::unordered, "allocates", past.releaser, "releases");
    past = fresh_past(past.place);
    past.life = Life::allocated;
    past.allocator = operation;
  }

  void release() const {
    if (past.life == Life::released) {
      return find(Hazard::double_free, "releases what was already released by " + releaser_of(past),
                  past.releaser);
    }
    if (past.life != Life::allocated) {
      return find(Hazard::double_free, "releases what no operation has allocated");
    }
    require_order(Hazard::use_before_allocation, "releases", past.allocator, "allocates");
    require_order_with_uses(Hazard::free_before_last_use, "releases");
    forget_uses_before(false);
    past.life = Life::released;
    past.releaser = operation;
  }

  /// Checks an access of the operation to the bytes, and updates their past.
  void apply(Touch touch) const {
    switch (touch) {
      case Touch::read: return use(true, false);
      case Touch::write: return use(false, true);
      case Touch::read_write: return use(true, true);
      case Touch::allocate: return allocate();
      case Touch::release: return release();
    }
  }
};

}  // namespace

std::string name_of(Hazard hazard) {
  return hazard == Hazard::api_in_host_function ? "API in host function" : words_of_name(hazard);
}

std::string describe(const Range& range, Place place) {
  return fmt::format("{:#x}-{:#x} ({} bytes of {} memory)", range.begin, range.end, range.size(),
                     name_of(place));
}

void Findings::add(Hazard hazard, std::string text, const Operation* other, const Range& range,
                   Place place) {
  if (is_full()) return;
  // Adjacent bytes often have the same error.
  for (Finding& same : added_) {
    if (same.range.end != range.begin || same.hazard != hazard || same.text != text) continue;
    same.range.end = range.end;
    return;
  }
  added_.push_back({hazard, std::move(text), other == nullptr ? "" : other->lane, range, place});
}

void Findings::keep_one_of_each_since(std::size_t first) {
  std::set<std::pair<Hazard, std::string>> said;
  const auto is_repeated = [&](const Finding& one) {
    return !said.emplace(one.hazard, one.text).second;
  };
  const auto begin = added_.begin() + static_cast<std::ptrdiff_t>(first);
  added_.erase(std::remove_if(begin, added_.end(), is_repeated), added_.end());
}

void Findings::report_added(const std::string& culprit, const std::string& lane) {
  for (const Finding& found : added_) {
    const auto [begin, end] = found.range;
    if (!reported_.emplace(found.hazard, begin, end, lane, found.other_lane).second) continue;
    report(found.hazard,
           fmt::format("{} {}: {}", culprit, found.text, describe(found.range, found.place)));
  }
  added_.clear();
}

std::vector<Report> Findings::take(std::uint32_t part) {
  const auto is_of_part = [part](const Report& report) { return report.part == part; };
  std::vector<Report> taken;
  std::ranges::copy_if(reports_, std::back_inserter(taken), is_of_part);
  std::erase_if(reports_, is_of_part);
  reported_.clear();
  return taken;
}

void Findings::clear() {
  reports_.clear();
  reported_.clear();
}

Past fresh_past(Place place) {
  Past past;
  past.place = place;
  if (place == Place::registered || place == Place::pageable) return past;
  past.life = is_stream_ordered(place) ? Life::reserved : Life::allocated;
  past.written = place == Place::pinned;
  return past;
}

Segments::Map::iterator Segments::split(std::uintptr_t at) {
  const auto after = map_.lower_bound(at);
  const bool begins_there = after != map_.end() && after->first == at;
  if (begins_there || after == map_.begin() || std::prev(after)->second.end <= at) return after;
  Segment& lower = std::prev(after)->second;
  Segment upper = lower;
  lower.end = at;
  return map_.emplace_hint(after, at, std::move(upper));
}

Segments::Part Segments::part(const Range& range) {
  if (range.begin >= range.end) return {map_.end(), map_.end()};  // wraps around, or is empty
  const auto first = split(range.begin);
  const bool is_one =
      first != map_.end() && first->first == range.begin && first->second.end == range.end;
  return {first, is_one ? std::next(first) : split(range.end)};
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

void Hazards::check(const OperationPtr& operation, const Memory& memory) {
  // Reads first: an operation's own writes do not make its reads valid.
  for (const bool reading : {true, false}) {
    for (const Access& access : operation->task->accesses) {
      const bool reads = access.touch == Touch::read || access.touch == Touch::read_write;
      if (reads != reading) continue;
      const std::size_t first = added();
      for_each_row(access, [&](const Range& row) {
        touch(operation, {row, access.touch}, memory);
      });
      if (access.rows > 1) keep_one_of_each_since(first);
    }
  }
  if (added() > 0) report_added(describe(*operation), operation->lane);
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
    add(Hazard::outside, "touches bytes beyond an allocation", nullptr, {inside.end, range.end},
        block.place);
  }
  const Segments::Part part = segments_.tile(inside, block.place);
  for (auto& [begin, segment] : part) {
    Past& past = segment.past;
    if (block.place != Place::pageable || past.life == Life::users) past.place = block.place;
    Touching{operation, {begin, segment.end}, past, *this}.apply(access.touch);
  }
  if (access.touch != Touch::read) segments_.join(part);
}

void Hazards::touch_nothing(const OperationPtr& operation, const Access& access) {
  bool was_released = false;
  for (auto& [begin, segment] : segments_.part(access.range)) {
    if (segment.past.life != Life::released) continue;
    was_released = true;
    Touching{operation, {begin, segment.end}, segment.past, *this}.apply(access.touch);
  }
  if (was_released) return;
  const bool releases = access.touch == Touch::release;
  add(releases ? Hazard::double_free : Hazard::outside,
      fmt::format("{} bytes outside all allocations", releases ? "releases" : "touches"), nullptr,
      access.range, Place::pageable);
}

void Hazards::released_by_host(const Range& range, const OperationOrder& order,
                               const std::string& call) {
  const Segments::Part part = segments_.part(range);
  for (auto& [begin, segment] : part) {
    const Range bytes{begin, segment.end};
    Past& past = segment.past;
    if (past.life == Life::released) {
      add(Hazard::double_free, "releases what was already released by " + releaser_of(past),
          past.releaser.get(), bytes, past.place);
      continue;
    }
    const auto must_know = [&](const OperationPtr& user) {
      if (!user || order.host_knows(user->position)) return;
      add(Hazard::free_before_last_use, "before the host has waited for " + describe(*user),
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
  segments_.join(part);
  report_added(call, call);
}

}  // namespace trilane::simulator
