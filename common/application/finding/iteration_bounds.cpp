#include "common/application/finding/iteration_bounds.hpp"

#include <algorithm>
#include <set>

#include "common/application/iteration/call_kinds.hpp"

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

}  // namespace

EventRotation rotation_of(const CallStore& store, const Repetitions& repetitions) {
  EventRotation rotation;
  if (repetitions.all.empty() || repetitions.all.front().first < store.oldest()) return rotation;
  rotation.lagging = lagging_calls(store, repetitions);
  if (rotation.lagging.empty()) return rotation;
  std::vector<std::vector<std::uint64_t>> events;
  for (const Repetition& one : repetitions.all) {
    events.push_back(events_of(store, repetitions, one));
  }
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
  Repetitions all{.calls = period * repetitions.calls, .all = {}, .costs = repetitions.costs};
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

}  // namespace trilane
