// A second hazard check, slow and simple: it keeps the whole history of each byte, and the
// happens-before relation as a table.
#pragma once

#include <map>
#include <set>
#include <utility>
#include <vector>

#include "common/device/simulator/hazards/hazards.hpp"

namespace trilane::simulator {

using Id = std::size_t;  // number of an operation; 0: none

/// A hazard at one byte.
using Found = std::set<std::pair<Hazard, std::uintptr_t>>;

class HazardOracle {
 public:
  /// Adds an operation that follows those in `after`. Returns what is wrong with it.
  Found issue(const std::vector<Access>& accesses, const std::set<Id>& after) {
    std::set<Id> before = host_;
    for (const Id earlier : after) {
      before.insert(earlier);
      before.insert(before_[earlier].begin(), before_[earlier].end());
    }
    before_.push_back(before);
    found_.clear();
    for (const bool reading : {true, false}) {
      for (const auto& [range, touch, rows, pitch] : accesses) {  // of one row
        const bool reads = touch == Touch::read || touch == Touch::read_write;
        for (auto at = range.begin; at < range.end && reads == reading; ++at) apply(touch, at);
      }
    }
    return found_;
  }

  void host_waited_for(Id operation) {
    host_.insert(operation);
    host_.insert(before_[operation].begin(), before_[operation].end());
  }

  Found host_frees(const Range& range) {
    found_.clear();
    for (auto at = range.begin; at < range.end; ++at) {
      Byte& byte = bytes_[at];
      if (byte.life == Life::released) {
        found_.emplace(Hazard::double_free, at);
        continue;
      }
      for (const auto& [user, writes] : byte.uses) {
        if (!host_.contains(user)) found_.emplace(Hazard::free_before_last_use, at);
      }
      byte = {Life::released, false, 0, 0, {}};
    }
    return found_;
  }

  void allocated(const Range& range, Life life, bool written) {
    for (auto at = range.begin; at < range.end; ++at) bytes_[at] = {life, written, 0, 0, {}};
  }

  bool ordered(Id first, Id second) const {
    return first == 0 || first == second || before_[second].contains(first);
  }

 private:
  struct Byte {
    Life life = Life::allocated;
    bool written = false;
    Id allocator = 0, releaser = 0;
    std::vector<std::pair<Id, bool>> uses;  // of this life, and whether they write
  };

  void apply(Touch touch, std::uintptr_t at) {
    const Id self = before_.size() - 1;
    Byte& byte = bytes_[at];
    const auto finds = [&](Hazard hazard, bool wrong) {
      if (wrong) found_.emplace(hazard, at);
    };
    const auto any_unordered = [&](bool with_reads) {
      for (const auto& [user, writes] : byte.uses) {
        if ((writes || with_reads) && !ordered(user, self)) return true;
      }
      return false;
    };
    const bool allocated = byte.life == Life::allocated;
    const bool too_early = !allocated || !ordered(byte.allocator, self);
    if (touch == Touch::allocate) {
      finds(Hazard::unordered,
            any_unordered(true) || !ordered(byte.allocator, self) || !ordered(byte.releaser, self));
      byte = {Life::allocated, false, self, 0, {}};
    } else if (touch == Touch::release) {
      finds(Hazard::double_free, !allocated);
      finds(Hazard::use_before_allocation, allocated && too_early);
      finds(Hazard::free_before_last_use, allocated && any_unordered(true));
      if (allocated) byte.life = Life::released, byte.releaser = self;
    } else if (byte.life == Life::released) {
      finds(Hazard::use_after_free, true);
    } else {
      const bool writes = touch != Touch::read;
      finds(Hazard::use_before_allocation, too_early);
      if (!allocated) return;
      finds(Hazard::unordered, any_unordered(writes));
      finds(Hazard::uninitialised_read, touch != Touch::write && !byte.written);
      byte.uses.emplace_back(self, writes);
      byte.written = byte.written || writes;
    }
  }

  std::vector<std::set<Id>> before_{{}};  // for each operation, all its predecessors
  std::set<Id> host_;
  std::map<std::uintptr_t, Byte> bytes_;
  Found found_;
};

}  // namespace trilane::simulator
