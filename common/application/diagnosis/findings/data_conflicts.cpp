#include "common/application/diagnosis/findings/data_conflicts.hpp"

#include <algorithm>

namespace trilane {
namespace {

bool same_bytes(const UsedRange& one, const UsedRange& other) {
  return one.memory == other.memory && one.offset < other.offset + other.bytes &&
         other.offset < one.offset + one.bytes;
}

/// Returns true if the memory that the operation uses is unknown.
bool may_use_any(const RecordedCall& call) {
  switch (role_of(call.kind)) {
    case CallRole::work: return call.uses.empty();
    case CallRole::allocation:
    case CallRole::release: return false;
    case CallRole::graph_launch:
    case CallRole::host_function:
    case CallRole::event:
    case CallRole::synchronization:
    case CallRole::query:
    case CallRole::graph_change:
    case CallRole::other: break;
  }
  return true;
}

}  // namespace

bool may_conflict(const RecordedCall& one, const RecordedCall& other) {
  if (may_use_any(one) || may_use_any(other)) return true;
  return std::ranges::any_of(one.uses, [&](const UsedRange& a) {
    return std::ranges::any_of(other.uses, [&](const UsedRange& b) {
      return same_bytes(a, b) && (a.use != Use::reads || b.use != Use::reads);
    });
  });
}

}  // namespace trilane
