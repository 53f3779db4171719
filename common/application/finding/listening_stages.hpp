// Goes from the search for an iteration to its replay, and then leaves the application.
#pragma once

#include "common/application/finding/application_recorder.hpp"
#include "common/application/finding/thread_gate.hpp"
#include "common/application/iteration/recorder_status.hpp"

namespace trilane {

/// The state of the application at the return of a call.
struct ApplicationNow {
  bool has_graphs = false;       ///< it has made executable graphs
  bool several_threads = false;  ///< several threads made calls
  bool captures = false;         ///< a stream is being captured
  bool ended_work = false;       ///< this thread's call is one of ends_work()
};

/// The driver's functions that call back.
enum class Heard : std::uint8_t {
  all,   ///< that the recorder knows
  ends,  ///< the one that ends an iteration, and those that change handles and memory unseen
  none,
};

/// Decides which functions call back, and takes device times.
class ListeningInstruments {
 public:
  virtual ~ListeningInstruments() = default;

  virtual ApplicationNow now() const = 0;
  /// Notes that this thread uses CUDA.
  virtual void note_thread() = 0;

  virtual void listen_to(Heard functions) = 0;
  /// Listens to the runtime's functions, too. Measures the cost of listening first.
  virtual void listen_to_runtime() = 0;
  /// Ends that as far as possible within this call, or within none. Returns true if none is left.
  virtual bool end_runtime(bool within_none) = 0;
  /// Must be called at each call: continues with what end_runtime() has left.
  virtual void called() = 0;
  /// Must be called after other functions call back: an earlier entry may have no heard return.
  virtual void begin_era() = 0;

  virtual void start_tracer() = 0;
  /// Hands device times to the recorder. Returns true if they could be read.
  virtual bool stop_tracer() = 0;
  /// Returns true if the device is idle, or becomes so within a second.
  virtual bool device_is_done() const = 0;
  /// Lets the runtime's functions call back, so that threads are held there, too, or ends that.
  virtual void stop_at_runtime(bool on) = 0;

  /// Ends all callbacks, and takes CUPTI out of the process if `cupti_leaves`.
  virtual void release(bool cupti_leaves) = 0;
};

/// The replay, as the stages steer it.
class StagedReplay {
 public:
  virtual ~StagedReplay() = default;

  virtual bool is_wanted() const = 0;
  /// Returns true if nothing more will be replayed.
  virtual bool is_over() const = 0;
  virtual bool is_capturing() const = 0;
  /// Takes the beginning of an iteration while only ends are watched. Returns true if every call of
  /// it must be listened to, and memory was copied; false without a replay.
  virtual bool begins(const ApplicationRecorder& recorder) = 0;
  /// Must be called if the iteration that is captured is given up.
  virtual void breaks_off(const std::string& reason) = 0;
  /// Cancels any further replay.
  virtual void gives_up(const std::string& reason) = 0;
};

/// Returns true if no work that CUPTI has yet to record is pending when the call returns.
inline bool ends_work(const ObservedCall& call) {
  return only_waits(call.kind) || call.kind == CallKind::free || call.done;
}

/// Returns true if the host waits for nothing in the iteration.
bool never_waits(const ObservedIteration& iteration);

/// The tracer's result: whole iterations until it was stopped with the device idle, or not.
enum class Trace : std::uint8_t { none, under_way, clean, broken };

/// Decides when the listener leaves the application, and whether CUPTI leaves with it.
class Departure {
 public:
  /// All must outlive this object.
  Departure(ApplicationRecorder& recorder, ListeningInstruments& instruments,
            const StagedReplay& replay)
      : recorder_(recorder), instruments_(instruments), replay_(replay) {}

  Trace trace() const { return trace_; }
  void set_trace(Trace trace) { trace_ = trace; }

  /// Ends listening, because everything possible is known. The listener leaves when this call
  /// returns, or after a later call that lets CUPTI leave, if there is one.
  void begin();

  /// The task of the next callback at the return of a call.
  enum class Order : std::uint8_t { none, leave, end_application };
  Order order() const { return order_; }
  /// Returns true for one caller after an order.
  bool take_order() { return order_.exchange(Order::none) != Order::none; }
  /// Returns true if the listener leaves at this call.
  bool is_due() const;

  /// Stops all callbacks while a replay is measured. Returns true if CUPTI has left; otherwise it
  /// leaves at a later call, if it can. Does nothing if there are several threads.
  bool pause();
  /// Ends the subscription, and takes CUPTI out of the process if it can leave. Returns true if so.
  bool release();

 private:
  bool cupti_can_leave() const;

  ApplicationRecorder& recorder_;
  ListeningInstruments& instruments_;
  const StagedReplay& replay_;
  std::atomic<Order> order_{Order::none};
  Trace trace_ = Trace::none;
  double leave_by_us_ = 0;  ///< with Order::leave
};

/// Goes through search, confirm, watch, trace, capture. Only is_capturing() is thread-safe.
class ListeningStages {
 public:
  /// All must outlive this. Counts calls and watched iterations in `page`.
  ListeningStages(ApplicationRecorder& recorder, ListeningInstruments& instruments,
                  StagedReplay& replay, Departure& departure, ThreadGate& gate,
                  RecorderStatus& page, std::function<void()> known)
      : recorder_(recorder),
        instruments_(instruments),
        replay_(replay),
        departure_(departure),
        gate_(gate),
        page_(page),
        say_known_(std::move(known)) {}

  ListeningStage stage() const { return stage_; }
  /// Returns true while an iteration is captured for the replay.
  bool is_capturing() const { return capturing_.load(std::memory_order_relaxed); }

  /// Takes a call that has returned, and enters the next stage if that is possible in this call.
  void observe(const ObservedCall& call);
  /// Must be called after observe(), except within an iteration that is captured. Starts what
  /// follows an iteration that was watched.
  void call_ended(double now_us);
  /// Take the start and end of an NVTX range of the calling thread.
  void range_begins(const char* name, double now_us);
  void range_ends(double now_us);
  /// Must be called when the iteration that is captured is complete, or differs from the one that
  /// was found. Then callbacks are as few as while iterations were watched. Returns true if the
  /// iteration may be replayed. Other threads stand still until replayed() is called.
  bool capture_ended(bool complete);
  /// Must be called after the replay.
  void replayed();
  /// Returns true if device times are taken after the replay, because CUPTI stays anyway.
  bool traces_later() const;

 private:
  void enter(ListeningStage next);
  void enter_outside(ListeningStage next);
  bool may_enter(ListeningStage next, const ObservedCall& call);
  bool may_watch_ends(bool runtime_has_ended);
  /// Says so once for each change of the stage.
  void iteration_is_known() {
    if (!std::exchange(known_, true)) say_known_();
  }
  bool watched_enough(double now_us);
  void iteration_begins(double now_us);
  bool finds_memory();
  bool traces(double now_us);
  bool others_rest(double now_us);
  bool others_went_on();
  double longest_hold_us_from(double now_us) const;
  void let_go();

  static constexpr std::uint32_t most_late_calls = 10'000;

  ApplicationRecorder& recorder_;
  ListeningInstruments& instruments_;
  StagedReplay& replay_;
  Departure& departure_;
  ThreadGate& gate_;
  RecorderStatus& page_;
  const std::function<void()> say_known_;
  ListeningStage stage_ = ListeningStage::search;
  std::atomic<bool> capturing_{false};
  std::uint32_t late_calls_ = 0;  ///< calls since the stage should have changed
  bool memory_found_ = false;     ///< that iterations hand to each other
  bool known_ = false;            ///< the iteration is known in this stage, and that was said
  std::uint64_t filling_ = 0;     ///< iterations until a host that never waits has filled the queue
  double fill_until_us_ = 0;      ///< at most
  std::uint64_t watched_ = 0;     ///< iterations since then
  double watched_from_us_ = 0;
  /// The other threads, while the loop of one is prepared for its replay.
  enum class Others : std::uint8_t { go_on, stopping, timed_without, stopped, went_on };
  Others others_ = Others::go_on;
  std::uint64_t alone_ = 0;  ///< iterations without them
  double alone_from_us_ = 0;
  double stopping_from_us_ = 0;
};

}  // namespace trilane
