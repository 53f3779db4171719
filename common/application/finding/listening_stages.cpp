#include "common/application/finding/listening_stages.hpp"

#include "common/application/finding/call_fingerprint.hpp"
#include "common/application/iteration/call_kinds.hpp"
#include "common/application/iteration/observed_call.hpp"

namespace trilane {
namespace {

/// Limits of watching iterations, to learn their time without a recorder and its spread: at most
/// `most_watched`, or as many as take `longest_watch_us`, but at least `fewest_watched`.
constexpr std::uint64_t fewest_watched = 5, most_watched = 100;
constexpr double longest_watch_us = 20e3;

/// Operations that a queue takes before the host has to wait, with a margin: about 1,000.
constexpr std::uint64_t operations_to_fill = 1200;
constexpr double longest_fill_us = 2e6;

/// Limits of the time for which other threads stand still: for an iteration without them, besides
/// ten times its own length, for a snapshot, and for a replay: twice the longest `--time`.
constexpr double longest_hold_us = 1e6, longest_snapshot_us = 30e6, longest_replay_us = 7200e6;
constexpr char needs_others[] =
    "the loop did not go on while other threads stood still: it may wait for one of them";

/// Limit for the arrival of a call after which CUPTI may leave.
constexpr double longest_departure_us = 2e6;

/// Returns true if there is an iteration and it has a call of ends_work().
bool has_end_of_work(const ObservedIteration* iteration) {
  return iteration != nullptr && std::ranges::any_of(iteration->calls, ends_work);
}

/// Returns how many iterations of a host that never waits fill the queue. It drained while the
/// listener worked, and until it is full the host does not notice how slow the device is.
std::uint64_t iterations_to_fill(const ObservedIteration* iteration) {
  if (iteration == nullptr || !never_waits(*iteration)) return 0;
  std::map<std::uint64_t, std::uint64_t> operations;  // by stream
  std::uint64_t most = 0;
  for (const ObservedCall& call : iteration->calls) {
    if (is_operation(call.kind)) most = std::max(most, ++operations[call.stream]);
  }
  return most == 0 ? 0 : 1 + (operations_to_fill - 1) / most;
}

}  // namespace

bool never_waits(const ObservedIteration& iteration) {
  return std::ranges::none_of(iteration.calls, [](const ObservedCall& call) {
    return ends_work(call) || is_host_wait(call);
  });
}

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
  if (instruments_.now().several_threads) return false;
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
  return trace_ == Trace::none || (trace_ == Trace::clean && !now.has_graphs);
}

void ListeningStages::observe(const ObservedCall& call) {
  const ListeningStage next = recorder_.observe(call);
  // The guard's lock is held, so no other thread counts.
  page_.calls.store(page_.calls.load(std::memory_order_relaxed) + 1, std::memory_order_relaxed);
  instruments_.called();
  if (may_enter(next, call)) enter(next);
}

void ListeningStages::call_ended(double now_us) {
  if (stage_ != ListeningStage::watch || !recorder_.at_iteration_end()) return;
  page_.watched.fetch_add(1, std::memory_order_relaxed);
  iteration_begins(now_us);
}

void ListeningStages::range_begins(const char* name, double now_us) {
  enter_outside(recorder_.range_begins(name, now_us));
  const bool begins = stage_ == ListeningStage::watch && recorder_.at_iteration_begin();
  if (begins) iteration_begins(now_us);
}

void ListeningStages::range_ends(double now_us) {
  enter_outside(recorder_.range_ends(now_us));
  if (stage_ != ListeningStage::watch || !recorder_.at_iteration_end()) return;
  page_.watched.fetch_add(1, std::memory_order_relaxed);
  if (!replay_.is_capturing()) return;
  replay_.breaks_off("the iteration changed before it was captured");
  capture_ended(false);
}

void ListeningStages::enter(ListeningStage next) {
  if (next == stage_) return;
  if (stage_ == ListeningStage::trace) {
    const bool clean =
        recorder_.traced_all() && late_calls_ <= most_late_calls && instruments_.device_is_done();
    // CUPTI does not know yet of pending operations.
    departure_.set_trace(instruments_.stop_tracer() && clean ? Trace::clean : Trace::broken);
  }
  switch (next) {
    case ListeningStage::search: instruments_.listen_to(Heard::all); break;
    case ListeningStage::confirm: instruments_.listen_to_runtime(); break;
    case ListeningStage::trace:
      instruments_.listen_to(Heard::all);
      departure_.set_trace(Trace::under_way);
      instruments_.start_tracer();
      break;
    case ListeningStage::watch:
      iteration_is_known();
      filling_ = 0;
      if (recorder_.ending_function() != 0) {  // after a range the host may wait
        filling_ = iterations_to_fill(recorder_.latest());
        recorder_.skip_times(1);  // this takes time in the next iteration
      }
      fill_until_us_ = 0;
      instruments_.listen_to(Heard::ends);
      break;
  }
  late_calls_ = 0;
  known_ = false;
  instruments_.begin_era();
  stage_ = next;
}

/// Enters a stage if this thread is in no call. Another may be in one.
void ListeningStages::enter_outside(ListeningStage next) {
  if (next == stage_) return;
  instruments_.note_thread();
  if (stage_ == ListeningStage::confirm) instruments_.end_runtime(true);
  enter(next);
}

/// Returns true if other calls may be listened to from this one on. Also ends listening to the
/// runtime, as far as this call allows. CUPTI crashes later if the tracer stops within a call.
bool ListeningStages::may_enter(ListeningStage next, const ObservedCall& call) {
  switch (stage_) {
    case ListeningStage::search:
    case ListeningStage::watch: return true;
    case ListeningStage::confirm: {
      if (next == ListeningStage::confirm) return false;
      const bool ended = instruments_.end_runtime(false);
      return next != ListeningStage::watch || may_watch_ends(ended);
    }
    case ListeningStage::trace:
      return next == stage_ || ends_work(call) || ++late_calls_ > most_late_calls;
  }
  return true;
}

/// If one function of the runtime is left to disable, lets another iteration pass for that.
bool ListeningStages::may_watch_ends(bool runtime_has_ended) {
  const bool first = late_calls_ == 0;
  if (recorder_.at_iteration_end() && (runtime_has_ended || !first)) return true;
  iteration_is_known();
  return ++late_calls_ > most_late_calls;
}

/// Returns true if enough iterations were watched to know their time without a recorder.
bool ListeningStages::watched_enough(double now_us) {
  if (watched_++ == 0) watched_from_us_ = now_us;
  return watched_ > fewest_watched &&
         (watched_ > most_watched || now_us - watched_from_us_ > longest_watch_us);
}

/// Starts the tracer first, and then the replay, for which CUPTI leaves the process. If CUPTI could
/// not leave after tracing, traces only if there is no replay.
void ListeningStages::iteration_begins(double now_us) {
  if (filling_ > 0) {
    if (fill_until_us_ == 0) fill_until_us_ = now_us + longest_fill_us;
    --filling_;
    if (now_us > fill_until_us_) filling_ = 0;
    return recorder_.skip_times(1);
  }
  if (instruments_.now().captures || !watched_enough(now_us)) return;
  const bool may_trace = departure_.trace() == Trace::none && has_end_of_work(recorder_.latest());
  const ApplicationNow now = instruments_.now();
  const bool clear = !now.has_graphs && !now.several_threads;
  if (may_trace && (clear || !replay_.is_wanted()) && traces(now_us)) return;
  if (departure_.trace() == Trace::broken) {
    replay_.gives_up("the loop was not regular while it was traced");
  }
  if (!replay_.is_over() && !others_rest(now_us)) return;
  if (!replay_.is_over() && !instruments_.device_is_done()) {
    replay_.gives_up("the device is not idle between two iterations");
  }
  if (!replay_.is_over() && finds_memory()) return;
  if (replay_.begins(recorder_)) {
    // Takes effect with the next call: whatever was entered before may return unheard.
    recorder_.skip_times(1);
    instruments_.listen_to(Heard::all);
    instruments_.begin_era();
    gate_.extend(longest_hold_us_from(recorder_now_us()));
    capturing_ = true;
    return;
  }
  let_go();
  if (may_trace && instruments_.now().several_threads && traces(now_us)) return;
  departure_.begin();
}

/// Returns true if all calls of another iteration have to be heard before one is captured: what it
/// frees of an earlier one was allocated unheard.
bool ListeningStages::finds_memory() {
  const ObservedIteration* const latest = recorder_.latest();
  if (latest == nullptr || inherited_frees(*latest).empty()) return false;
  if (std::exchange(memory_found_, true)) return false;
  // Memory that the latest iteration left was freed unheard.
  for (const ObservedCall& call : latest->calls) {
    if (!allocates(call.kind)) continue;
    recorder_.observe({.kind = CallKind::free, .destination = call.destination});
  }
  recorder_.skip_times(1);
  instruments_.listen_to(Heard::all);
  instruments_.begin_era();
  return true;
}

bool ListeningStages::traces(double now_us) {
  enter(recorder_.trace_devices(now_us));
  return stage_ == ListeningStage::trace;
}

/// Other threads' memory lies in the snapshot, so they are stopped at their next calls. Then the
/// loop is timed without them. Returns true once that is done, or not needed.
bool ListeningStages::others_rest(double now_us) {
  if (recorder_.only_thread() == 0 || !instruments_.now().several_threads) return true;
  if (others_ != Others::go_on && gate_.was_forced()) return others_went_on();
  gate_.extend(longest_hold_us_from(now_us));
  switch (others_) {
    case Others::go_on:
      others_ = Others::stopping;
      stopping_from_us_ = now_us;
      recorder_.skip_times(1);
      instruments_.listen_to(Heard::all);
      instruments_.begin_era();
      gate_.close(recorder_.only_thread(), longest_hold_us_from(now_us));
      return false;
    case Others::stopping:
      recorder_.skip_times(1);
      // New threads may come for ever.
      if (now_us > stopping_from_us_ + longest_hold_us) return others_went_on();
      if (!gate_.is_quiet(now_us)) return false;
      if (gate_.waiting() == 0) break;
      others_ = Others::timed_without;
      instruments_.listen_to(Heard::ends);
      recorder_.is_alone(gate_.waiting());
      alone_from_us_ = now_us;
      return false;
    case Others::timed_without:
      if (++alone_ < fewest_watched) return false;
      if (alone_ < most_watched && now_us - alone_from_us_ < longest_watch_us) return false;
      break;
    case Others::stopped: break;
    case Others::went_on: return true;
  }
  others_ = Others::stopped;
  gate_.extend(now_us + longest_snapshot_us);
  return true;
}

/// Searches for an iteration of all threads. Returns true without one: the next stage may begin.
bool ListeningStages::others_went_on() {
  if (!replay_.is_capturing() && recorder_.join_threads()) {
    let_go();
    others_ = Others::go_on;
    watched_ = alone_ = 0;
    enter(ListeningStage::search);
    return false;
  }
  replay_.is_capturing() ? replay_.breaks_off(needs_others) : replay_.gives_up(needs_others);
  others_ = Others::went_on;
  return true;
}

double ListeningStages::longest_hold_us_from(double now_us) const {
  const auto iterations = static_cast<double>(std::max<std::uint64_t>(1, watched_));
  return now_us + longest_hold_us + 10 * (now_us - watched_from_us_) / iterations;
}

void ListeningStages::let_go() {
  if (others_ == Others::go_on) return;
  others_ = Others::went_on;
  gate_.open();
  instruments_.stop_at_runtime(false);
}

bool ListeningStages::capture_ended(bool complete) {
  capturing_ = false;
  const bool forced = others_ != Others::go_on && gate_.was_forced();
  if (complete && forced) others_went_on();
  if (complete && !forced && instruments_.now().several_threads) {
    // No other thread may change memory, nor delay a call, until the replay has ended.
    others_ = Others::stopped;
    instruments_.listen_to(Heard::none);
    instruments_.stop_at_runtime(true);
    gate_.close(0, recorder_now_us() + longest_replay_us);
    return true;
  }
  const bool may_replay = complete && !forced;
  // Another try would begin while the others go on.
  if (!complete && others_ != Others::go_on) {
    replay_.gives_up("the iteration changed before it was captured");
  }
  if (!may_replay) recorder_.skip_times(1);
  if (!complete) recorder_.move_end();
  memory_found_ = false;  // what is allocated from now on is unheard
  instruments_.listen_to(Heard::ends);
  if (!may_replay) {
    instruments_.begin_era();
    let_go();
  }
  return may_replay;
}

void ListeningStages::replayed() {
  let_go();
  if (!traces_later()) return departure_.begin();
  recorder_.skip_times(std::numeric_limits<std::uint64_t>::max());
  instruments_.listen_to(Heard::ends);
  instruments_.begin_era();
}

bool ListeningStages::traces_later() const {
  return instruments_.now().several_threads && departure_.trace() == Trace::none &&
         has_end_of_work(recorder_.latest());
}

}  // namespace trilane
