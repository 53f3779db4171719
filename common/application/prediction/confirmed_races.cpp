#include "common/application/prediction/confirmed_races.hpp"

#include <algorithm>
#include <stdexcept>

#include "common/application/prediction/order_check.hpp"
#include "common/application/prediction/why_not_simulated.hpp"
#include "common/device/flavour/flavour.hpp"

namespace trilane {
namespace {

/// Limit of the calls issued for all races.
constexpr std::size_t most_calls_twice = 200'000;

/// Returns true if operations of the simulated device can share the memory.
bool is_shared(MemoryKind kind) { return on_device(kind) || kind == MemoryKind::pinned; }

/// Returns true if the call can be issued with its whole effect on the order.
bool is_known(const RecordedCall& call) {
  const auto has = [&](Use use) {
    return std::ranges::find(call.uses, use, &UsedRange::use) != call.uses.end();
  };
  switch (role_of(call.kind)) {
    case CallRole::work:
      return call.kind == CallKind::kernel || (call.bytes > 0 && has(Use::writes) &&
                                               (call.kind == CallKind::memset || has(Use::reads)));
    case CallRole::graph_launch:
    case CallRole::host_function:
    case CallRole::other: return false;
    case CallRole::event:
    case CallRole::synchronization:
    case CallRole::query:
    case CallRole::allocation:
    case CallRole::release:
    case CallRole::graph_change: return true;
  }
  return false;
}

}  // namespace

void confirm_races(const ApplicationRecording& recording, std::vector<RecordedRace>& races) {
  if (races.empty() || recording.calls.size() > most_calls_twice || !is_ordered_soon(recording))
    return;
  if (!std::ranges::all_of(recording.calls, is_known)) return;
  const TimedOnly timed;
  try {
    OrderCheck order(recording);
    std::size_t calls = 0;
    for (RecordedRace& race : races) {
      if (!is_shared(race.memory_kind)) continue;
      calls += recording.calls.size() * (race.next_iteration ? 2 : 1);
      if (calls > most_calls_twice) return;
      race.confirmed = order.unordered(race);
    }
  } catch (const std::runtime_error&) {
    // If the device refuses the calls or lacks memory, that says nothing about an order.
  }
}

}  // namespace trilane
