// What an operation may do to bytes, by what happened to them before.
#include <fmt/format.h>

#include "common/device/simulator/hazards/hazards.hpp"

namespace trilane::simulator {

namespace {

bool ordered(const OperationPtr& first, const OperationPtr& second) {
  return !first || first == second || Order::before(first->position, second->position);
}

const char* verb_of(bool writes) { return writes ? "writes" : "reads"; }

/// After an operation only those uses count that it does not come after.
void forget_uses_before(const OperationPtr& operation, bool reads_only, Past& past) {
  std::erase_if(past.uses, [&](const Use& earlier) {
    return !(reads_only && earlier.writes) && ordered(earlier.operation, operation);
  });
}

}  // namespace

std::string Hazards::releaser_of(const Past& past) {
  return past.releaser ? describe(*past.releaser) : past.released_by;
}

void Hazards::apply(const OperationPtr& operation, Touch touch, const Range& range, Past& past) {
  switch (touch) {
    case Touch::read:
    case Touch::write:
    case Touch::read_write: return use(operation, touch, range, past);
    case Touch::allocate: return allocate(operation, range, past);
    case Touch::release: return release(operation, range, past);
  }
}

void Hazards::use(const OperationPtr& operation, Touch touch, const Range& range, Past& past) {
  const bool reads = touch != Touch::write, writes = touch != Touch::read;
  if (past.life == Life::released) {
    return find(Hazard::use_after_free,
                fmt::format("{} what {} has released", verb_of(writes), releaser_of(past)),
                past.releaser.get(), range, past.place);
  }
  if (past.life == Life::reserved) {
    return find(Hazard::use_before_allocation,
                fmt::format("{} what no operation has allocated", verb_of(writes)), nullptr, range,
                past.place);
  }
  if (!ordered(past.allocator, operation)) {
    find(Hazard::use_before_allocation,
         fmt::format("{} what {} allocates, in no order", verb_of(writes),
                     describe(*past.allocator)),
         past.allocator.get(), range, past.place);
  }
  for (const Use& earlier : past.uses) {
    if ((!writes && !earlier.writes) || ordered(earlier.operation, operation)) continue;
    find(Hazard::unordered,
         fmt::format("{} what {} {}, in no order", verb_of(writes), describe(*earlier.operation),
                     verb_of(earlier.writes)),
         earlier.operation.get(), range, past.place);
  }
  if (reads && !past.written) {
    find(Hazard::uninitialised_read, "reads what nothing before has written", nullptr, range,
         past.place);
  }
  forget_uses_before(operation, !writes, past);
  past.uses.push_back({operation, writes});
  past.written = past.written || writes;
}

void Hazards::allocate(const OperationPtr& operation, const Range& range, Past& past) {
  const auto must_come_before = [&](const OperationPtr& earlier, const char* what) {
    if (ordered(earlier, operation)) return;
    find(Hazard::unordered,
         fmt::format("allocates what {} {}, in no order", describe(*earlier), what), earlier.get(),
         range, past.place);
  };
  must_come_before(past.allocator, "allocates");
  for (const Use& earlier : past.uses) must_come_before(earlier.operation, verb_of(earlier.writes));
  must_come_before(past.releaser, "releases");
  past = fresh_past(past.place);
  past.life = Life::allocated;
  past.allocator = operation;
}

void Hazards::release(const OperationPtr& operation, const Range& range, Past& past) {
  if (past.life == Life::released) {
    return find(Hazard::double_free, "releases what has been released by " + releaser_of(past),
                past.releaser.get(), range, past.place);
  }
  if (past.life != Life::allocated) {
    return find(Hazard::double_free, "releases what no operation has allocated", nullptr, range,
                past.place);
  }
  if (!ordered(past.allocator, operation)) {
    find(Hazard::use_before_allocation,
         fmt::format("releases what {} allocates, in no order", describe(*past.allocator)),
         past.allocator.get(), range, past.place);
  }
  for (const Use& earlier : past.uses) {
    if (ordered(earlier.operation, operation)) continue;
    find(Hazard::free_before_last_use,
         fmt::format("releases what {} {}, in no order", describe(*earlier.operation),
                     verb_of(earlier.writes)),
         earlier.operation.get(), range, past.place);
  }
  forget_uses_before(operation, false, past);
  past.life = Life::released;
  past.releaser = operation;
}

}  // namespace trilane::simulator
