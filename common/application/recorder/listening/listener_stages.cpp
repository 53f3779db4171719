// From the iteration that was found to the end of listening: watch, trace, take one, replay, leave.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <limits>
#include <set>

#include "common/application/recorder/driver/driver_functions.hpp"
#include "common/application/recorder/listening/listener_guard.hpp"
#include "common/application/recording/clock.hpp"
#include "common/application/recording/finding/call_fingerprint.hpp"
#include "common/text/exit_code.hpp"

namespace trilane {
namespace {

/// How long iterations are only watched, so that their time without a recorder is known: so many,
/// or as many as there are in that time, but at least a few.
constexpr std::uint64_t watched_least = 5, watched_most = 50;
constexpr double watched_us = 5e3;

/// For the device to come to rest.
constexpr double longest_rest_us = 1e6;
constexpr std::uint32_t most_late_calls = 10'000;
/// For a call to come after which CUPTI may leave.
constexpr double longest_departure_us = 2e6;

bool has_end_of_work(const ObservedIteration* iteration) {
  return iteration != nullptr &&
         std::ranges::any_of(iteration->calls, [](const auto& call) { return ends_work(call); });
}

}  // namespace

bool ends_work(const ObservedCall& call) {
  return only_waits(call.kind) || call.kind == CallKind::free || call.done;
}

/// Whether so many iterations were watched that the time of one without a recorder is known.
bool Listener::watched_enough(double now_us) {
  if (watched_++ == 0) watched_from_us_ = now_us;
  return watched_ > watched_least &&
         (watched_ > watched_most || now_us - watched_from_us_ > watched_us);
}

/// First the tracer, and then the replay, for which CUPTI leaves the process. Where CUPTI could not
/// leave after tracing, it is not traced unless there is no replay.
void Listener::iteration_begins(double now_us) {
  if (captures_ > 0 || !watched_enough(now_us)) return;
  const bool may_trace = trace_ == Trace::none && has_end_of_work(recorder_.latest());
  const bool clear = !graphs_.any() && !several_threads_;
  if (may_trace && (clear || !replay_.is_wanted()) && traces(now_us)) return;
  if (trace_ == Trace::broken) replay_.gives_up("the loop was not regular while it was traced");
  if (!replay_.is_over() && !device_is_done()) {
    replay_.gives_up("the device does not come to rest between two iterations");
  }
  if (replay_.begins(recorder_, modules_)) return take_one();
  if (may_trace && several_threads_ && traces(now_us)) return;
  depart();
}

/// Whether device times are taken from now on.
bool Listener::traces(double now_us) {
  look(recorder_.trace_devices(now_us));
  return looking_ == Looking::at_devices;
}

/// A recording without device times says when calls were made, and not when the device worked.
void Listener::start_tracer() {
  trace_ = Trace::under_way;
  try {
    device_times_.start();
  } catch (const NotPossible&) {
    device_times_.stop();
  }
}

/// Whether other calls may be listened to from this one on. Also ends listening to the runtime, as
/// far as this call allows.
bool Listener::may_look(const ObservedCall& call, Looking next) {
  switch (looking_) {
    case Looking::for_iteration:
    case Looking::at_ends: return true;
    case Looking::at_host:
      if (next == Looking::at_host) return false;
      runtime_.end(this_thread.time.runtime_now());
      return next != Looking::at_ends || may_watch_ends();
    case Looking::at_devices: return may_stop_tracer(call, next);
  }
  return true;
}

/// If a function of the runtime is left, another iteration passes first, in which it can be told.
bool Listener::may_watch_ends() {
  const bool first = late_calls_ == 0;
  if (recorder_.at_iteration_end() && (runtime_.has_ended() || !first)) return true;
  if (first) iteration_is_known();
  return ++late_calls_ > most_late_calls;
}

/// Whether the tracer may stop within this call, or has to. CUPTI crashes later if it stops within
/// one that it has yet to record.
bool Listener::may_stop_tracer(const ObservedCall& call, Looking next) {
  return next == looking_ || ends_work(call) || ++late_calls_ > most_late_calls;
}

/// CUPTI does not know yet of operations that are still under way.
void Listener::stop_tracer() {
  const bool clean = recorder_.traced_all() && late_calls_ <= most_late_calls && device_is_done();
  trace_ = end_trace() && clean ? Trace::clean : Trace::broken;
}

/// Asks nothing of the device: at the application's end its streams may be gone. Returns whether
/// the records could be read.
bool Listener::end_trace() {
  device_times_.stop();
  // Each launch takes longer from now on.
  recorder_.skip_times(std::numeric_limits<std::uint64_t>::max());
  try {
    recorder_.device_times(device_times_.take());
  } catch (const NotPossible&) {
    return false;
  }
  return true;
}

/// Asks, and does not wait for the device: that may need a thread that waits for this one, and
/// would end a capture.
bool Listener::device_is_done() const {
  const auto ask = driver_functions().stream_query;
  if (ask == nullptr || recorder_.latest() == nullptr) return true;
  if (captures_ > 0) return false;
  std::set<std::uint64_t> streams;
  for (const ObservedCall& call : recorder_.latest()->calls) {
    if (names_stream(call.kind)) streams.insert(call.stream);
  }
  const double end_us = recorder_now_us() + longest_rest_us;
  return std::ranges::all_of(streams, [&](std::uint64_t stream) {
    CUresult answer = CUDA_ERROR_NOT_READY;
    do answer = ask(reinterpret_cast<CUstream>(stream));
    while (answer == CUDA_ERROR_NOT_READY && recorder_now_us() < end_us);
    return answer == CUDA_SUCCESS;
  });
}

void Listener::take_one() {
  recorder_.skip_times(1);
  subscription_.enable_all();
  era_.fetch_add(1, std::memory_order_relaxed);
  taking_ = true;
}

void Listener::taken(const ListenedCall& what, const CUpti_CallbackData& data,
                     const ObservedCall& call) {
  switch (replay_.returned(what, data.functionParams, call, graphs_)) {
    case IterationTaker::State::going: return;
    case IterationTaker::State::differs: return stop_taking();
    case IterationTaker::State::complete: return measure();
  }
}

void Listener::stop_taking() {
  taking_ = false;
  recorder_.skip_times(1);
  listen_for_ends();
  era_.fetch_add(1, std::memory_order_relaxed);
}

/// As little calls back as while iterations were watched, until nothing does.
void Listener::measure() {
  taking_ = false;
  listen_for_ends();
  silent_ = left_ = true;
  recorder_.trace_nothing();
  recorder_.cupti_added(replay_.measure(recorder_, [this] { return fall_silent_for_replay(); }));
  silent_ = left_ = !subscription_.lives();
  depart();
}

/// Nothing calls back while a replay is measured. Returns whether CUPTI has left; otherwise it does
/// at a later call, if it can.
bool Listener::fall_silent_for_replay() {
  if (this_thread.ended_work || !cupti_can_leave()) return release_cupti();
  subscription_.enable([](CUpti_CallbackId) { return false; });
  return false;
}

/// All is known that can be. The listener goes at the return of this call, or of one after which
/// CUPTI may leave, if such a one comes.
void Listener::depart() {
  if (ordered_ != Order::none) return;
  recorder_.trace_nothing();
  const bool in_call = recorder_.ending_function() != 0;
  const bool comes = !in_call || has_end_of_work(recorder_.latest());
  const bool waits = cupti_can_leave() && comes && !(in_call && this_thread.ended_work);
  leave_by_us_ = waits ? recorder_now_us() + longest_departure_us : 0;
  if (!in_call || waits) {
    recorder_.skip_times(std::numeric_limits<std::uint64_t>::max());
    subscription_.enable_all();
    era_.fetch_add(1, std::memory_order_relaxed);
  }
  const bool stops = replay_.is_wanted() && std::getenv(replay_stop_variable) != nullptr;
  ordered_ = stops ? Order::end_application : Order::leave;
}

/// Whether this call is the one.
bool Listener::goes_now() const {
  return (this_thread.ended_work && captures_ == 0) || recorder_now_us() > leave_by_us_;
}

/// Another thread may be in a callback, or within a call that CUPTI follows.
bool Listener::cupti_can_leave() const {
  if (several_threads_) return false;
  switch (trace_) {
    case Trace::none: return true;
    case Trace::clean: return !graphs_.any();
    case Trace::under_way:
    case Trace::broken: return false;
  }
  return false;
}

/// Only the subscription ends where CUPTI cannot leave. It crashed where it left within
/// cuMemFreeAsync. Returns whether it has left.
bool Listener::release_cupti() {
  const bool leaves = this_thread.ended_work && captures_ == 0 && cupti_can_leave();
  leaves ? subscription_.detach() : subscription_.end();
  return leaves;
}

void Listener::leave() {
  silent_ = left_ = true;
  release_cupti();
  write_soon();
}

/// Without its exit handlers, which could wait for this very call to return.
void Listener::end_application() {
  guarded([&] {
    end_writer();
    write();
  });
  std::fflush(nullptr);
  page_.finished = 1;
  std::_Exit(0);
}

}  // namespace trilane
