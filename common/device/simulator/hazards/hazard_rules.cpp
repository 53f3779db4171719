#include "common/device/simulator/hazards/hazard_rules.hpp"

#include <fmt/format.h>

#include "common/device/simulator/hazards/order.hpp"

namespace trilane::simulator {

namespace {

bool ordered(const OperationPtr& first, const OperationPtr& second) {
  return !first || first == second || Order::before(first->position, second->position);
}

const char* verb_of(bool writes) { return writes ? "writes" : "reads"; }

/// An operation that touches bytes with a common past.
struct Touching {
  const OperationPtr& operation;
  const Range& range;
  Past& past;
  Findings& findings;

  void find(Hazard hazard, const std::string& text, const OperationPtr& other = nullptr) const {
    findings.add(hazard, text, other.get(), range, past.place);
  }

  /// Reports a hazard unless both operations are ordered. `verb` describes this operation,
  /// `other_verb` describes `other`.
  void require_order(Hazard hazard, const char* verb, const OperationPtr& other,
                     const char* other_verb) const {
    if (findings.is_full() || ordered(other, operation)) return;
    find(hazard,
         fmt::format("{} what {} {}, with no order between them", verb, describe(*other),
                     other_verb),
         other);
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
    for (const Use& earlier : past.uses) {
      if (!writes && !earlier.writes) continue;
      require_order(Hazard::unordered, verb, earlier.operation, verb_of(earlier.writes));
    }
    if (reads && !past.written) {
      find(Hazard::uninitialised_read, "reads what nothing has written");
    }
    forget_uses_before(!writes);
    past.uses.push_back({operation, writes});
    past.written = past.written || writes;
  }

  void allocate() const {
    require_order(Hazard::unordered, "allocates", past.allocator, "allocates");
    for (const Use& earlier : past.uses) {
      require_order(Hazard::unordered, "allocates", earlier.operation, verb_of(earlier.writes));
    }
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
    for (const Use& earlier : past.uses) {
      require_order(Hazard::free_before_last_use, "releases", earlier.operation,
                    verb_of(earlier.writes));
    }
    forget_uses_before(false);
    past.life = Life::released;
    past.releaser = operation;
  }
};

}  // namespace

void apply_access(const OperationPtr& operation, Touch touch, const Range& range, Past& past,
                  Findings& findings) {
  const Touching touching{operation, range, past, findings};
  switch (touch) {
    case Touch::read: return touching.use(true, false);
    case Touch::write: return touching.use(false, true);
    case Touch::read_write: return touching.use(true, true);
    case Touch::allocate: return touching.allocate();
    case Touch::release: return touching.release();
  }
}

std::string releaser_of(const Past& past) {
  return past.releaser ? describe(*past.releaser) : past.released_by;
}

}  // namespace trilane::simulator
