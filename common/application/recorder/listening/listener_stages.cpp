// Goes from the iteration that was found to the replay: watch, trace, take one, measure.
#include "common/application/recorder/listening/ends_of_work.hpp"
#include "common/application/recorder/listening/listener.hpp"
#include "common/application/recorder/listening/thread_state.hpp"

namespace trilane {
namespace {

/// Limits of the phase in which iterations are only watched, to learn their time without a recorder
/// and its spread: at most `watched_most`, or as many as take `watched_us`, but at least
/// `watched_least`.
constexpr std::uint64_t watched_least = 5, watched_most = 100;
constexpr double watched_us = 20e3;

}  // namespace

/// Returns true if enough iterations were watched to know their time without a recorder.
bool Listener::watched_enough(double now_us) {
  if (watched_++ == 0) watched_from_us_ = now_us;
  return watched_ > watched_least &&
         (watched_ > watched_most || now_us - watched_from_us_ > watched_us);
}

/// Starts the tracer first, and then the replay, for which CUPTI leaves the process. If CUPTI could
/// not leave after tracing, traces only if there is no replay.
void Listener::iteration_begins(double now_us) {
  if (!captured_.empty() || !watched_enough(now_us)) return;
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

/// Returns true if device times are taken from now on.
bool Listener::traces(double now_us) {
  look(recorder_.trace_devices(now_us));
  return looking_ == ListeningStage::trace;
}

/// Returns true if other calls may be listened to from this one on. Also ends listening to the
/// runtime, as far as this call allows.
bool Listener::may_look(const ObservedCall& call, ListeningStage next) {
  switch (looking_) {
    case ListeningStage::search:
    case ListeningStage::watch: return true;
    case ListeningStage::confirm:
      if (next == ListeningStage::confirm) return false;
      runtime_.end(this_thread.time.runtime_now());
      return next != ListeningStage::watch || may_watch_ends();
    case ListeningStage::trace: return may_stop_tracer(call, next);
  }
  return true;
}

/// If one function of the runtime is left to disable, lets another iteration pass, in which that
/// can be done.
bool Listener::may_watch_ends() {
  const bool first = late_calls_ == 0;
  if (recorder_.at_iteration_end() && (runtime_.has_ended() || !first)) return true;
  iteration_is_known();
  return ++late_calls_ > most_late_calls;
}

void Listener::take_one() {
  recorder_.skip_times(1);
  listen_to_all();
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

/// Keeps callbacks as few as while iterations were watched, until it ends all of them.
void Listener::measure() {
  taking_ = false;
  listen_for_ends();
  silent_ = left_ = true;
  recorder_.trace_nothing();
  recorder_.cupti_added(replay_.measure(recorder_, [this] { return fall_silent_for_replay(); }));
  silent_ = left_ = !subscription_.lives();
  depart();
}

}  // namespace trilane
