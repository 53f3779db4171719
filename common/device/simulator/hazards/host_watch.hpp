// Detects changes by the host to bytes that an unfinished operation uses.
#pragma once

#include "common/device/simulator/hazards/hazards.hpp"

namespace trilane::simulator {

/// Returns a hash of the content, which always changes with one aligned 8-byte word.
std::uint64_t fingerprint_of(const Range& range);

/// Returns a hash of all rows of an access.
std::uint64_t fingerprint_of(const Access& access);

/// The host's accesses are invisible, so the content is watched. A fingerprint is taken when an
/// operation on host bytes is issued. It is compared when an operation runs on these bytes, and
/// when the host has waited for it. Changes that no operation made are the host's.
class HostWatch {
 public:
  /// Watches the host ranges (pinned, registered, pageable) that the operation reads or writes.
  void issued(const OperationPtr& operation, const Memory& memory);
  /// Must be called around the work of an operation, whose own changes are allowed. A host function
  /// may change anything.
  void before_work(const Operation& operation, Hazards& hazards);
  void after_work(const Operation& operation);
  /// Checks the bytes of operations that the host has waited for, and stops watching them: from now
  /// on the host may use them. Must be called after every wait.
  void host_waited(const OperationOrder& order, Hazards& hazards);

 private:
  struct Watched {
    Access rows;
    Place place;
    std::uint64_t fingerprint = 0;
    std::vector<OperationPtr> under_way;  // and not waited for by the host
    bool reported = false;
  };
  static void look_at(Watched& watched, Hazards& hazards);

  std::vector<Watched> watched_;  // each set of rows once
};

}  // namespace trilane::simulator
