#include "common/application/diagnosis/time/iteration_schedule.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "common/explain/statistics/statistics.hpp"

namespace trilane {

IterationSchedule::IterationSchedule(const ApplicationRecording& recording) {
  double last = 0;
  for (std::size_t i = 0; i < recording.calls.size(); ++i) {
    const RecordedCall& call = recording.calls[i];
    const double returned = call.start_us + call.host_us;
    last = std::max(last, returned);
    if (!call.device_start_us || !call.device_us) continue;
    runs_.push_back({.call = i,
                     .issued_us = call.start_us,
                     .returned_us = returned,
                     .start_us = *call.device_start_us,
                     .end_us = *call.device_start_us + *call.device_us});
  }
  std::ranges::stable_sort(runs_, {}, &OperationRun::start_us);
  repeats_ = recording.found != Found::none && !recording.iteration_us.empty();
  if (repeats_) {
    period_ = std::max(median(recording.iteration_us), last);
  } else {
    period_ = last;
    for (const OperationRun& run : runs_) period_ = std::max(period_, run.end_us);
  }
  add_host(recording);
}

void IterationSchedule::add_host(const ApplicationRecording& recording) {
  std::vector<std::size_t> by_start(recording.calls.size());
  std::iota(by_start.begin(), by_start.end(), std::size_t{0});
  std::ranges::stable_sort(by_start, {}, [&](auto i) { return recording.calls[i].start_us; });
  double now = 0;
  const auto add = [&](double end, std::optional<std::size_t> call, std::size_t before) {
    if (end > now) host_.push_back({now, end, call, before});
    now = std::max(now, end);
  };
  for (const std::size_t i : by_start) {
    const RecordedCall& call = recording.calls[i];
    add(call.start_us - call.runtime_us.value_or(0), std::nullopt, i);
    add(call.start_us + call.host_us, i, i);
  }
  add(period_, std::nullopt, by_start.front());
}

std::vector<OperationRun> IterationSchedule::steady_runs() const {
  if (!repeats_) return runs_;
  std::vector<OperationRun> steady;
  for (const OperationRun& run : runs_) {
    const double ends = -std::floor(run.end_us / period_);  // the earliest that ends after 0
    const double starts = std::ceil(-run.start_us / period_) - 2;
    for (double repetition = std::max(ends, starts);
         run.start_us + repetition * period_ < 2 * period_; ++repetition) {
      steady.push_back(shifted(run, repetition * period_));
    }
  }
  std::ranges::stable_sort(steady, {}, &OperationRun::start_us);
  return steady;
}

OperationRun shifted(OperationRun run, double us) {
  run.issued_us += us;
  run.returned_us += us;
  run.start_us += us;
  run.end_us += us;
  return run;
}

}  // namespace trilane
