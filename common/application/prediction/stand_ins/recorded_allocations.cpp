#include "common/application/prediction/stand_ins/recorded_allocations.hpp"

#include <algorithm>

#include "common/analysis/statistics/statistics.hpp"

namespace trilane {

bool is_by_driver(CallKind kind) {
  switch (kind) {
    case CallKind::allocate:
    case CallKind::free:
    case CallKind::allocate_host:
    case CallKind::free_host: return true;
    case CallKind::allocate_async:
    case CallKind::free_async:
    case CallKind::kernel:
    case CallKind::copy:
    case CallKind::memset:
    case CallKind::graph_launch:
    case CallKind::change_graph:
    case CallKind::host_function:
    case CallKind::record_event:
    case CallKind::wait_event:
    case CallKind::synchronize_stream:
    case CallKind::synchronize_event:
    case CallKind::synchronize_context:
    case CallKind::query:
    case CallKind::other: return false;
  }
  return false;
}

bool has_recorded_allocations(const ApplicationRecording& recording) {
  bool some = false;
  for (const RecordedCall& call : recording.calls) {
    if (!is_by_driver(call.kind)) continue;
    if (!call.call_us) return false;
    some = true;
  }
  return some;
}

double watched_share(const ApplicationRecording& recording) {
  double sum_us = 0;
  for (const RecordedCall& call : recording.calls) {
    if (!call.own_us || !call.call_us) return 1;
    sum_us += *call.own_us + *call.call_us;
  }
  if (recording.watched_us.empty() || sum_us <= 0) return 1;
  return std::min(1.0, median(recording.watched_us) / sum_us);
}

}  // namespace trilane
