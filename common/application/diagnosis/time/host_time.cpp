#include "common/application/diagnosis/time/host_time.hpp"

#include "common/application/iteration/order/call_traits.hpp"

namespace trilane {
namespace {

/// Returns true if the host may have learnt in the call that work is done.
bool waits_for_device(TimeUse use) {
  switch (use) {
    case TimeUse::waiting:
    case TimeUse::blocking_copy:
    case TimeUse::allocating: return true;
    case TimeUse::own_code:
    case TimeUse::launching:
    case TimeUse::other_calls:
    case TimeUse::launch_latency:
    case TimeUse::stream_order:
    case TimeUse::event_order:
    case TimeUse::legacy_order:
    case TimeUse::graph_order: return false;
  }
  return false;
}

}  // namespace

HostTime::HostTime(const ApplicationRecording& recording, const IterationSchedule& schedule)
    : recording_(recording), schedule_(schedule), latency_us_(longest_latency_us) {
  for (const OperationRun& run : schedule.runs()) {
    latency_us_ = std::clamp(run.start_us - run.issued_us, 0.0, latency_us_);
  }
}

TimeUse HostTime::use_of(const HostSpan& span) const {
  return span.call ? trilane::use_of(recording_.calls[*span.call], recording_) : TimeUse::own_code;
}

std::string HostTime::name_of(const HostSpan& span) const {
  if (span.call) return function_of(recording_.calls[*span.call]);
  const std::size_t last = (span.before == 0 ? recording_.calls.size() : span.before) - 1;
  return "after " + function_of(recording_.calls[last]);
}

bool HostTime::issued_late(double from, const OperationRun& next) const {
  if (next.issued_us <= from - latency_us_) return false;
  bool waited = false;
  each_span(from, std::min(next.issued_us, next.start_us),
            [&](const HostSpan& span, double, double) {
              waited = waited || waits_for_device(use_of(span));
            });
  return !waited;
}

}  // namespace trilane
