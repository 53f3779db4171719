#include "common/application/recorder/listening/activity_times.hpp"

#include <algorithm>
#include <map>

#include "common/application/iteration/clock.hpp"
#include "common/device/cuda/cupti.hpp"

namespace trilane {
namespace {

constexpr CUpti_ActivityKind kinds[] = {CUPTI_ACTIVITY_KIND_MEMCPY, CUPTI_ACTIVITY_KIND_MEMSET,
                                        CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL};

/// Returns the smallest of several offsets: larger ones were interrupted between their two
/// readings.
double measured_offset_us() {
  double best = 0, shortest = 0;
  constexpr int attempts = 20;
  for (int i = 0; i < attempts; ++i) {
    const double before = recorder_now_us(), there = cupti_now_us(), after = recorder_now_us();
    if (i > 0 && after - before >= shortest) continue;
    shortest = after - before;
    best = (before + after) / 2 - there;
  }
  return best;
}

}  // namespace

void ActivityTimes::start() {
  cupti_now_us();  // starts the clock of the records
  offset_us_ = measured_offset_us();
  receive_cupti_records();
  for (const CUpti_ActivityKind kind : kinds) {
    check_cupti(cupti().activity_enable(kind), "cuptiActivityEnable");
  }
  running_ = true;
}

void ActivityTimes::stop() {
  for (const CUpti_ActivityKind kind : kinds) cupti().activity_disable(kind);
  running_ = false;
}

std::vector<DeviceTime> ActivityTimes::take() const {
  std::map<std::uint64_t, DeviceTime> by_call;
  for (const TracedOperation& operation : take_cupti_records().operations) {
    const double start = operation.start_us + offset_us_, end = operation.end_us + offset_us_;
    const auto correlation = static_cast<std::uint32_t>(operation.call);
    const auto [at, is_new] = by_call.try_emplace(
        operation.call, DeviceTime{.correlation = correlation, .start_us = start, .end_us = end});
    if (is_new) continue;
    at->second.start_us = std::min(at->second.start_us, start);
    at->second.end_us = std::max(at->second.end_us, end);
  }
  std::vector<DeviceTime> times;
  for (const auto& [call, time] : by_call) times.push_back(time);
  return times;
}

}  // namespace trilane
