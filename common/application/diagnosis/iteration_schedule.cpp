#include "common/application/diagnosis/iteration_schedule.hpp"

#include "common/explain/statistics/statistics.hpp"

namespace trilane {

IterationSchedule::IterationSchedule(const ApplicationRecording& recording,
                                     const HappensBefore& order)
    : recording_(recording), order_(order), by_call_(recording.calls.size()) {
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
  for (const OperationRun& run : runs_) {
    by_call_[run.call] = run;
    latency_us_ = std::clamp(run.start_us - run.issued_us, 0.0, latency_us_);
    auto& by_end = by_end_[engine(run.call)];
    for (double repetition = repeats_ ? -2 : 0; repetition <= 0; ++repetition) {
      by_end.push_back(shifted(run, repetition * period_));
    }
  }
  for (auto& [engine, runs] : by_end_) std::ranges::stable_sort(runs, {}, &OperationRun::end_us);
  add_host();
}

void IterationSchedule::add_host() {
  std::vector<std::size_t> by_start(recording_.calls.size());
  std::iota(by_start.begin(), by_start.end(), std::size_t{0});
  std::ranges::stable_sort(by_start, {}, [&](auto i) { return recording_.calls[i].start_us; });
  double now = 0;
  const auto add = [&](double end, std::optional<std::size_t> call, std::size_t before) {
    if (end > now) host_.push_back({now, end, call, before});
    now = std::max(now, end);
  };
  for (const std::size_t i : by_start) {
    const RecordedCall& call = recording_.calls[i];
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

std::optional<OperationRun> IterationSchedule::run_of(std::size_t call, double repetition) const {
  if (!by_call_[call]) return std::nullopt;
  return shifted(*by_call_[call], repetition * period_);
}

std::optional<OperationRun> IterationSchedule::run_at(std::size_t place, double repetition) const {
  const std::size_t calls = by_call_.size();
  const bool first = place < calls;
  if (first && !repeats_) return std::nullopt;
  return run_of(place % calls, first ? repetition - 1 : repetition);
}

std::optional<OperationRun> IterationSchedule::last_before(std::size_t call, double repetition,
                                                           double by_us) const {
  std::optional<OperationRun> last;
  for (const Predecessor& one : order_of(call).after) {
    const auto run = run_at(one.place, repetition);
    if (run && run->end_us <= by_us && (!last || run->end_us > last->end_us)) last = run;
  }
  return last;
}

std::optional<OperationRun> IterationSchedule::on_engine_before(const OperationRun& run) const {
  const auto runs = by_end_.find(engine(run.call));
  if (runs == by_end_.end() || runs->first == RecordedEngine::none) return std::nullopt;
  auto later = std::ranges::upper_bound(runs->second, run.start_us, {}, &OperationRun::end_us);
  while (later != runs->second.begin()) {
    --later;
    if (later->start_us < run.start_us) return *later;
  }
  return std::nullopt;
}

double IterationSchedule::repetition_of(const OperationRun& run) const {
  if (!repeats_) return 0;
  const double first = recording_.calls[run.call].start_us;
  return std::round((run.issued_us - first) / period_);
}

OperationRun shifted(OperationRun run, double us) {
  run.issued_us += us;
  run.returned_us += us;
  run.start_us += us;
  run.end_us += us;
  return run;
}

std::string IterationSchedule::name_of(const HostSpan& span) const {
  if (span.call) return function_of(recording_.calls[*span.call]);
  const std::size_t last = (span.before == 0 ? recording_.calls.size() : span.before) - 1;
  return "after " + function_of(recording_.calls[last]);
}

bool IterationSchedule::issued_late(double from, const OperationRun& next) const {
  if (next.issued_us <= from - latency_us_) return false;
  bool waited = false;  // for the device: the host may have learnt that work is done
  const double to = std::min(next.issued_us, next.start_us);
  each_span(from, to, [&](const HostSpan& span, double, double) {
    const TimeUse use = use_of(span);
    waited = waited || use == TimeUse::waiting || use == TimeUse::blocking_copy ||
             use == TimeUse::allocating;
  });
  return !waited;
}

}  // namespace trilane
