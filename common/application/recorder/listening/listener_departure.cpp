// Removes the listener from the application, and CUPTI with it if possible.
#include <cstdio>
#include <cstdlib>
#include <limits>

#include "common/application/iteration/clock.hpp"
#include "common/application/recorder/listening/ends_of_work.hpp"
#include "common/application/recorder/listening/listener_guard.hpp"
#include "common/base/text/exit_code.hpp"

namespace trilane {
namespace {

/// Limit for the arrival of a call after which CUPTI may leave.
constexpr double longest_departure_us = 2e6;

}  // namespace

/// Stops all callbacks while a replay is measured. Returns true if CUPTI has left; otherwise it
/// leaves at a later call, if it can.
bool Listener::fall_silent_for_replay() {
  if (this_thread.ended_work || !cupti_can_leave()) return release_cupti();
  subscription_.enable([](CUpti_CallbackId) { return false; });
  return false;
}

/// Ends listening, because everything possible is known. The listener leaves when this call
/// returns, or after a later call that lets CUPTI leave, if there is one.
void Listener::depart() {
  if (ordered_ != Order::none) return;
  recorder_.trace_nothing();
  const bool in_call = recorder_.ending_function() != 0;
  const bool later = cupti_can_leave() && (!in_call || has_end_of_work(recorder_.latest()));
  const bool here = in_call && (this_thread.ended_work || !later);
  leave_by_us_ = later && !here ? recorder_now_us() + longest_departure_us : 0;
  if (!here) {
    recorder_.skip_times(std::numeric_limits<std::uint64_t>::max());
    listen_to_all();
  }
  const bool stops = replay_.is_wanted() && std::getenv(replay_stop_variable) != nullptr;
  ordered_ = stops ? Order::end_application : Order::leave;
}

/// Returns true if the listener leaves at this call.
bool Listener::goes_now() const {
  return (this_thread.ended_work && captured_.empty()) || recorder_now_us() > leave_by_us_;
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

/// If CUPTI cannot leave, only the subscription ends. CUPTI crashed when it left within
/// cuMemFreeAsync. Returns true if it has left.
bool Listener::release_cupti() {
  const bool leaves = this_thread.ended_work && captured_.empty() && cupti_can_leave();
  leaves ? subscription_.detach() : subscription_.end();
  return leaves;
}

void Listener::leave() {
  silent_ = left_ = true;
  release_cupti();
  write_soon();
}

/// Skips the application's exit handlers, which could wait for this very call to return.
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
