#include "common/application/prediction/ways/recorded_allocations.hpp"

#include <algorithm>

#include "common/explain/statistics/statistics.hpp"

namespace trilane {

bool is_by_driver(CallKind kind) {
  return (allocates(kind) || frees(kind)) && allocated_kind(kind) != MemoryKind::pool;
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
