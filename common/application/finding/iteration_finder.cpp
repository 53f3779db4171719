#include "common/application/finding/iteration_finder.hpp"

namespace trilane {

namespace {

/// Returns the event of each call of a repetition; 0: the call names none.
std::vector<std::uint64_t> events_of(const CallStore& store, const Repetitions& repetitions,
                                     const Repetition& repetition) {
  std::vector<std::uint64_t> events;
  for (std::uint64_t i = 0; i < repetitions.calls; ++i) {
    const ObservedCall call = store.at(repetition.first + i);
    events.push_back(names_event(call.kind) ? call.event : 0);
  }
  return events;
}

/// Returns the last repetition's calls that wait for an event recorded in an earlier one.
std::vector<std::uint64_t> lagging_calls(const CallStore& store, const Repetitions& repetitions) {
  std::set<std::uint64_t> before, recorded;
  const std::uint64_t first = repetitions.all.back().first;
  for (std::uint64_t call = repetitions.all.front().first; call < first; ++call) {
    const ObservedCall observed = store.at(call);
    if (observed.kind == CallKind::record_event) before.insert(observed.event);
  }
  std::vector<std::uint64_t> lagging;
  for (std::uint64_t i = 0; i < repetitions.calls; ++i) {
    const ObservedCall call = store.at(first + i);
    if (call.kind == CallKind::record_event) {
      recorded.insert(call.event);
    } else if (names_event(call.kind) && !recorded.contains(call.event) &&
               before.contains(call.event)) {
      lagging.push_back(i);
    }
  }
  return lagging;
}

constexpr std::uint64_t most_starts = IterationFinder::most_calls;

}  // namespace

EventRotation rotation_of(const CallStore& store, const Repetitions& repetitions) {
  EventRotation rotation;
  if (repetitions.all.empty() || repetitions.all.front().first < store.oldest()) return rotation;
  rotation.lagging = lagging_calls(store, repetitions);
  if (rotation.lagging.empty()) return rotation;
  const std::vector<std::vector<std::uint64_t>> events = transformed(
      repetitions.all, [&](const Repetition& one) { return events_of(store, repetitions, one); });
  for (std::uint64_t period = 1; period <= events.size() / 2; ++period) {
    const auto shifted = events.begin() + static_cast<std::ptrdiff_t>(period);
    if (std::equal(shifted, events.end(), events.begin())) {
      rotation.period = period;
      return rotation;
    }
  }
  rotation.period = 0;
  return rotation;
}

Repetitions joined(const Repetitions& repetitions, std::uint64_t period) {
  Repetitions all{.calls = period * repetitions.calls, .costs = repetitions.costs};
  for (std::size_t i = repetitions.all.size() % period; i < repetitions.all.size(); i += period) {
    Repetition one = repetitions.all[i];
    for (std::size_t k = i; k < i + period; ++k) {
      one.runtime = one.runtime && repetitions.all[k].runtime;
    }
    one.end_us = repetitions.all[i + period - 1].end_us;
    all.all.push_back(one);
  }
  return all;
}

std::optional<FoundPeriod> IterationFinder::add(std::uint64_t fingerprint, bool waits,
                                                bool wanted) {
  calls_.add(fingerprint);
  hash_ = mixed(hash_, fingerprint);
  const std::uint64_t period = waits ? add_segment() : add_single(fingerprint);
  if (period == 0 || !wanted) return std::nullopt;
  const std::uint64_t start = waits ? start_of(segment_ - period) : size() - period;
  std::optional<FoundPeriod> found = exactly(size() - start, waits);
  if (found) found_ = period;
  return found;
}

/// Adds the segment that a wait has ended.
std::uint64_t IterationFinder::add_segment() {
  if (segment_ >= starts_.size() && starts_.size() < most_starts) {
    starts_.resize(std::max<std::uint64_t>(1024, 2 * starts_.size()));
  }
  starts_[segment_ & (starts_.size() - 1)] = first_;
  const std::uint64_t period = segments_.add(mixed(hash_, size() - first_));
  ++segment_;
  hash_ = 0;
  first_ = size();
  single_ = nullptr;
  return period;
}

std::uint64_t IterationFinder::add_single(std::uint64_t fingerprint) {
  const std::uint64_t calls = size() - first_;
  if (calls < calls_without_wait) return 0;
  if (single_) return single_->add(fingerprint);
  single_ = std::make_unique<PeriodFinder>(repetitions_, most_calls);
  single_first_ = first_;
  std::uint64_t period = 0;
  for (std::uint64_t call = first_; call < size(); ++call) period = single_->add(at(call));
  return period;
}

/// Compares the calls themselves, as far as they are kept.
std::optional<FoundPeriod> IterationFinder::exactly(std::uint64_t period, bool waits) const {
  std::uint64_t same = 0;
  for (std::uint64_t call = size(); call > calls_.oldest() + period; --call, ++same) {
    if (at(call - 1) != at(call - 1 - period)) break;
  }
  const std::uint64_t repeats = 1 + same / period;
  if (repeats < repetitions_) return std::nullopt;
  return FoundPeriod{period, size() - repeats * period, repeats, waits};
}

std::optional<NearestPeriod> IterationFinder::nearest() const {
  const auto segments = of_segments();
  const auto calls = single_ ? of_single(*single_, single_first_) : of_calls_since_wait();
  const auto length = [](const auto& found) { return found ? found->calls * found->repeats : 0; };
  return length(calls) > length(segments) ? calls : segments;
}

std::optional<NearestPeriod> IterationFinder::of_segments() const {
  const auto run = segments_.nearest();
  if (!run || segment_ - run->from > most_starts) return std::nullopt;
  const std::uint64_t begin = start_of(run->from);
  const std::uint64_t period = start_of(run->from + run->period) - begin;
  NearestPeriod nearest{.calls = period, .lasts = run->lasts};
  std::uint64_t call = start_of(run->at);
  if (call >= size() || run->lasts) call = size() - 1;
  if (!run->lasts && call - period >= calls_.oldest()) {
    while (call + 1 < size() && at(call) == at(call - period)) ++call;
  }
  nearest.repeats = (call - begin) / period;
  nearest.at = (call - begin) % period;
  nearest.expected = call - period;
  nearest.got = call;
  return nearest;
}

std::optional<NearestPeriod> IterationFinder::of_single(const PeriodFinder& finder,
                                                        std::uint64_t first) const {
  const auto run = finder.nearest();
  if (!run) return std::nullopt;
  const std::uint64_t got = first + run->at;
  return NearestPeriod{.calls = run->period,
                       .repeats = run->whole(),
                       .at = run->length() % run->period,
                       .expected = got - run->period,
                       .got = got,
                       .lasts = run->lasts};
}

/// Compared only now: while the program ran, a wait could still have come.
std::optional<NearestPeriod> IterationFinder::of_calls_since_wait() const {
  PeriodFinder finder(repetitions_, most_calls);
  for (std::uint64_t call = first_; call < size(); ++call) finder.add(at(call));
  return of_single(finder, first_);
}

}  // namespace trilane
