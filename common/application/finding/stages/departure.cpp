#include "common/application/finding/stages/departure.hpp"

#include <algorithm>
#include <cstdlib>
#include <limits>

#include "common/application/iteration/clock.hpp"
#include "common/application/iteration/records/call_kinds.hpp"
#include "common/application/iteration/records/recorder_status.hpp"

namespace trilane {
namespace {

/// Limit for the arrival of a call after which CUPTI may leave.
constexpr double longest_departure_us = 2e6;

}  // namespace

bool ends_work(const ObservedCall& call) {
  return only_waits(call.kind) || call.kind == CallKind::free || call.done;
}

bool has_end_of_work(const ObservedIteration* iteration) {
  return iteration != nullptr && std::ranges::any_of(iteration->calls, ends_work);
}

Departure::Departure(ApplicationRecorder& recorder, ListeningInstruments& instruments,
                     const StagedReplay& replay)
    : recorder_(recorder), instruments_(instruments), replay_(replay) {}

void Departure::begin() {
  if (order_ != Order::none) return;
  recorder_.trace_nothing();
  const bool in_call = recorder_.ending_function() != 0;
  const bool later = cupti_can_leave() && (!in_call || has_end_of_work(recorder_.latest()));
  const bool here = in_call && (instruments_.now().ended_work || !later);
  leave_by_us_ = later && !here ? recorder_now_us() + longest_departure_us : 0;
  if (!here) {
    recorder_.skip_times(std::numeric_limits<std::uint64_t>::max());
    instruments_.listen_to(Heard::all);
    instruments_.begin_era();
  }
  const bool stops = replay_.is_wanted() && std::getenv(replay_stop_variable) != nullptr;
  order_ = stops ? Order::end_application : Order::leave;
}

bool Departure::is_due() const {
  const ApplicationNow now = instruments_.now();
  return (now.ended_work && !now.captures) || recorder_now_us() > leave_by_us_;
}

bool Departure::pause() {
  if (instruments_.now().ended_work || !cupti_can_leave()) return release();
  instruments_.listen_to(Heard::none);
  return false;
}

/// CUPTI crashed when it left within cuMemFreeAsync.
bool Departure::release() {
  const ApplicationNow now = instruments_.now();
  const bool leaves = now.ended_work && !now.captures && cupti_can_leave();
  instruments_.release(leaves);
  return leaves;
}

/// Another thread may be in a callback, or within a call that CUPTI follows.
bool Departure::cupti_can_leave() const {
  const ApplicationNow now = instruments_.now();
  if (now.several_threads) return false;
  switch (trace_) {
    case Trace::none: return true;
    case Trace::clean: return !now.has_graphs;
    case Trace::under_way:
    case Trace::broken: return false;
  }
  return false;
}

}  // namespace trilane
