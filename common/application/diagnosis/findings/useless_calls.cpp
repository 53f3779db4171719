#include "common/application/diagnosis/findings/useless_calls.hpp"

#include <algorithm>

#include "common/application/iteration/order/call_traits.hpp"

namespace trilane {
namespace {

bool in_legacy_stream(const RecordedCall& call, const ApplicationRecording& recording) {
  return recording.streams[call.stream].kind == StreamKind::legacy;
}

/// Returns true if only the bytes of the call matter. In the legacy stream a call keeps others
/// apart, and the host may wait in a synchronous call.
bool only_moves_bytes(const RecordedCall& call, const ApplicationRecording& recording) {
  const bool moves = call.kind == CallKind::copy || call.kind == CallKind::memset;
  return moves && !call.synchronous && call.refusal.empty() && !in_legacy_stream(call, recording);
}

/// Returns true if only operations on the device can reach the memory, at the same address in every
/// iteration.
bool is_fixed_device_memory(const RecordedCall& set, const ApplicationRecording& recording) {
  const MemoryKind kind = recording.memory[set.uses.front().memory].kind;
  return set.pointers == Variation::constant &&
         (kind == MemoryKind::device || kind == MemoryKind::pool);
}

bool overwrites(const RecordedCall& call, const UsedRange& set) {
  if (call.kind != CallKind::copy || copies_in(call) != 1) return false;
  if (call.pointers != Variation::constant) return false;
  const UsedRange &from = call.uses[0], &to = call.uses[1];
  const bool covers = to.memory == set.memory && to.offset <= set.offset &&
                      to.offset + to.bytes >= set.offset + set.bytes;
  return covers && to.bytes <= call.bytes && from.memory != set.memory;
}

/// Returns true if a call between a memset and the copy that overwrites it may use the set bytes.
bool may_read(const RecordedCall& call, const UsedRange& set) {
  switch (call.kind) {
    case CallKind::copy:
    case CallKind::memset:
    case CallKind::allocate:
    case CallKind::allocate_async:
    case CallKind::free:
    case CallKind::free_async:
    case CallKind::allocate_host:
    case CallKind::free_host:
      return std::ranges::any_of(call.uses, [&](const UsedRange& used) {
        return used.memory == set.memory && used.offset < set.offset + set.bytes &&
               set.offset < used.offset + used.bytes;
      });
    case CallKind::kernel:  // may follow a pointer in other memory
    case CallKind::graph_launch:
    case CallKind::host_function:
    case CallKind::change_graph:
    case CallKind::other: return true;
    case CallKind::record_event:
    case CallKind::wait_event:
    case CallKind::synchronize_stream:
    case CallKind::synchronize_event:
    case CallKind::synchronize_context:
    case CallKind::query: return false;
  }
  return true;
}

/// Returns true if a copy ordered behind the memset writes all of its bytes before anything can use
/// one of them.
bool is_overwritten(const ApplicationRecording& recording, const HappensBefore& order,
                    std::size_t memset) {
  const RecordedCall& call = recording.calls[memset];
  if (call.uses.size() != 1 || !is_fixed_device_memory(call, recording)) return false;
  const UsedRange& set = call.uses.front();
  for (std::size_t i = memset + 1; i < recording.calls.size(); ++i) {
    if (overwrites(recording.calls[i], set)) return order.ordered(memset, i);
    if (may_read(recording.calls[i], set)) return false;
  }
  return false;
}

}  // namespace

void add_useless_calls(const ApplicationRecording& recording, const HappensBefore& order,
                       const std::vector<bool>& for_nothing, FindingGroups& groups) {
  const bool one_host = recording.found != Found::none && recording.threads == 1;
  for (std::size_t i = 0; i < recording.calls.size(); ++i) {
    const RecordedCall& call = recording.calls[i];
    if (call.kind == CallKind::wait_event && for_nothing[i]) {
      groups.add(FindingKind::useless_stream_wait, i);
    } else if (only_waits(call.kind) && for_nothing[i]) {
      groups.add(FindingKind::useless_synchronize, i);
    } else if (one_host && only_moves_bytes(call, recording)) {
      if (call.bytes == 0) groups.add(FindingKind::nothing_copied, i);
      const bool sets = call.kind == CallKind::memset && call.bytes > 0;
      if (sets && is_overwritten(recording, order, i)) {
        const double us = call.device_us.value_or(call.host_us);
        groups.add(FindingKind::memset_overwritten, i, us, std::max(us, call.host_us));
      }
    }
  }
}

}  // namespace trilane
