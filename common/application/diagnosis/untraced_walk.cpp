#include "common/application/diagnosis/untraced_walk.hpp"

#include <algorithm>
#include <cmath>

#include "common/application/diagnosis/time/host_time.hpp"
#include "common/application/iteration/host_gaps.hpp"
#include "common/application/iteration/records/call_kinds.hpp"

namespace trilane {
namespace {

constexpr std::size_t settling = 6;  // repetitions until the host has adapted to the device's pace
/// Duration of a wait for finished work; measured on an H200.
constexpr double least_wait_us = 0.35;
/// The device's period counts as longer than the host's beyond this ratio.
constexpr double longer_period = 1.001;
constexpr double farthest_ahead = 16;

}  // namespace

UntracedWalk::UntracedWalk(const ApplicationRecording& recording, const HappensBefore& order,
                           const TracedCosts& costs, double tail_us, double gap_share)
    : recording_(recording),
      order_(order),
      costs_(costs),
      gaps_us_(host_gaps(recording)),
      tail_us_(tail_us),
      gap_share_(gap_share) {}

/// A host that does not wait runs ahead of a slower device until the driver accepts no more work.
/// From then on, each call returns once the device has progressed. The exact lead does not matter
/// as long as the host waits for no launch; the clock is set back so that the host starts with that
/// lead.
void UntracedWalk::settle() {
  while (repetitions_.size() < settling) repeat();
  const double period = device_period_us();
  if (period <= longer_period * host_period_us()) return;
  const double launches = std::ceil(longest_latency_us / period);
  const auto ahead = static_cast<std::size_t>(std::min(2 + launches, farthest_ahead));
  while (repetitions_.size() < ahead) repeat();
  host_us_ -= static_cast<double>(ahead + 1) * period;
  ahead_ = ahead;
  for (std::size_t i = 0; i < settling; ++i) repeat();
}

void UntracedWalk::repeat() {
  begun_us_.push_back(host_us_);
  repetitions_.emplace_back(recording_.calls.size());
  for (std::size_t i = 0; i < recording_.calls.size(); ++i) {
    Times& times = repetitions_.back()[i];
    const RecordedCall& call = recording_.calls[i];
    times.begin_us = host_us_ + gaps_us_[i];
    if (is_operation(call.kind)) run(i, times);
    times.returned_us = returned_us(i, times);
    host_us_ = times.returned_us;
  }
  host_us_ += tail_us_;
}

void UntracedWalk::run(std::size_t call, Times& times) {
  const RecordedEngine engine = engine_of(recording_.calls[call], recording_);
  const double length_us = is_timed(call) ? *recording_.calls[call].device_us : 0;
  times.start_us = ready_us(call, times.begin_us);
  if (is_timed(call) && is_alone_on_engine(engine)) {
    times.start_us = engines_[engine].take(times.start_us, length_us);
  }
  times.end_us = times.start_us + length_us;
}

double UntracedWalk::ready_us(std::size_t call, double begin_us) const {
  if (!is_timed(call)) return std::max(begin_us, ordered_us(call));
  const RecordedEngine engine = engine_of(recording_.calls[call], recording_);
  double ready = begin_us + costs_.launch_us(call);
  const auto behind = [&](std::size_t place) {
    const std::size_t before = place % recording_.calls.size();
    const double gap_us =
        is_timed(before)
            ? costs_.gap_us(engine_of(recording_.calls[before], recording_), engine, gap_share_)
            : 0;
    ready = std::max(ready, end_us(place) + gap_us);
  };
  for (const Predecessor& one : order_.at(recording_.calls.size() + call).after) behind(one.place);
  if (const auto holder = costs_.held_up_by(call)) behind(*holder);
  return ready;
}

double UntracedWalk::returned_us(std::size_t call, const Times& times) const {
  const RecordedCall& recorded = recording_.calls[call];
  const double unhindered = times.begin_us + *recorded.call_us;
  const HostWait wait = host_wait_of(recorded, recording_);
  if (wait == HostWait::nothing || recorded.kind == CallKind::query) {
    const bool held = ahead_ && is_operation(recorded.kind);
    if (!held) return unhindered;
    return std::max(unhindered, repetitions_[repetitions_.size() - 1 - *ahead_][call].end_us);
  }
  const double awaited = wait == HostWait::itself ? times.end_us : ordered_us(call);
  if (is_operation(recorded.kind) || frees(recorded.kind)) {
    return std::max(times.begin_us, awaited) + costs_.return_us(call);
  }
  const double least = knows_what_it_waits_for(call) ? std::min(*recorded.call_us, least_wait_us)
                                                     : *recorded.call_us;
  return std::max(times.begin_us + least, awaited + costs_.return_us(call));
}

double UntracedWalk::ordered_us(std::size_t call) const {
  double last = -HUGE_VAL;
  for (const Predecessor& one : order_.at(recording_.calls.size() + call).after) {
    last = std::max(last, end_us(one.place));
  }
  return last;
}

bool UntracedWalk::knows_what_it_waits_for(std::size_t call) const {
  const auto& after = order_.at(recording_.calls.size() + call).after;
  return !after.empty() && std::ranges::all_of(after, [&](const Predecessor& one) {
    return is_timed(one.place % recording_.calls.size());
  });
}

double UntracedWalk::end_us(std::size_t place) const {
  const std::size_t calls = recording_.calls.size();
  if (place >= calls) return repetitions_.back()[place - calls].end_us;
  return repetitions_.size() < 2 ? -HUGE_VAL : repetitions_[repetitions_.size() - 2][place].end_us;
}

double UntracedWalk::host_period_us() const { return host_us_ - begun_us_.back(); }

double UntracedWalk::device_period_us() const {
  const auto& now = repetitions_.back();
  const auto& before = repetitions_[repetitions_.size() - 2];
  double longest = 0;
  for (std::size_t i = 0; i < now.size(); ++i) {
    if (is_timed(i)) longest = std::max(longest, now[i].end_us - before[i].end_us);
  }
  return longest;
}

double UntracedWalk::period_us() const { return std::max(host_period_us(), device_period_us()); }

std::vector<UntracedWalk::Times> UntracedWalk::iteration() const {
  std::vector<Times> times = repetitions_.back();
  for (Times& one : times) {
    for (double* us : {&one.begin_us, &one.returned_us, &one.start_us, &one.end_us}) {
      *us -= begun_us_.back();
    }
  }
  return times;
}

bool UntracedWalk::is_timed(std::size_t call) const {
  return recording_.calls[call].device_start_us && recording_.calls[call].device_us;
}

bool UntracedWalk::is_alone_on_engine(RecordedEngine engine) const {
  const bool copies = engine == RecordedEngine::copy_in || engine == RecordedEngine::copy_out;
  return copies && !costs_.overlaps(engine);
}

}  // namespace trilane
