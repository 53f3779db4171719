#include "common/application/diagnosis/findings/useless_calls.hpp"

#include <algorithm>
#include <set>

#include "common/application/diagnosis/calls/call_traits.hpp"

namespace trilane {
namespace {

std::set<std::uint32_t> events_asked_about(const ApplicationRecording& recording) {
  std::set<std::uint32_t> events;
  for (const RecordedCall& call : recording.calls) {
    const bool asks = call.kind == CallKind::wait_event || call.kind == CallKind::query ||
                      call.kind == CallKind::synchronize_event;
    if (asks) events.insert(call.event);
  }
  return events;
}

/// Whether a copy ordered behind the memset writes all of its bytes before anything else uses one.
bool is_overwritten(const ApplicationRecording& recording, const HappensBefore& order,
                    std::size_t memset) {
  const UsedRange& set = recording.calls[memset].uses.front();
  for (std::size_t i = memset + 1; i < recording.calls.size(); ++i) {
    const RecordedCall& call = recording.calls[i];
    if (call.kind == CallKind::graph_launch) return false;  // it may read what was set
    for (const UsedRange& used : call.uses) {
      if (used.memory != set.memory || used.offset >= set.offset + set.bytes ||
          set.offset >= used.offset + used.bytes) {
        continue;
      }
      return call.kind == CallKind::copy && used.use == Use::writes && used.bytes <= call.bytes &&
             used.offset <= set.offset && used.offset + used.bytes >= set.offset + set.bytes &&
             order.ordered(memset, i);
    }
  }
  return false;
}

}  // namespace

void add_useless_calls(const ApplicationRecording& recording, const HappensBefore& order,
                       const std::vector<bool>& may_order, FindingGroups& groups) {
  const auto asked_about = events_asked_about(recording);
  const bool repeats = recording.found != Found::none;
  for (std::size_t i = 0; i < recording.calls.size(); ++i) {
    const RecordedCall& call = recording.calls[i];
    const bool orders_nothing = repeats && !may_order[i];
    if (call.kind == CallKind::wait_event && orders_nothing) {
      groups.add(FindingKind::useless_stream_wait, i);
    } else if (only_waits(call.kind) && orders_nothing) {
      groups.add(FindingKind::useless_synchronize, i);
    } else if (call.kind == CallKind::record_event && !asked_about.contains(call.event)) {
      groups.add(FindingKind::unused_event, i);
    } else if (call.kind == CallKind::copy || call.kind == CallKind::memset) {
      if (call.bytes == 0) groups.add(FindingKind::nothing_copied, i);
      const bool is_set = call.kind == CallKind::memset && call.bytes > 0 && call.uses.size() == 1;
      if (is_set && is_overwritten(recording, order, i)) {
        groups.add(FindingKind::memset_overwritten, i, call.device_us.value_or(call.host_us));
      }
    }
  }
}

}  // namespace trilane
