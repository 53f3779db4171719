// The recorder's core: takes an application's calls one by one, finds its iteration and makes the
// recording. It knows no CUDA.
#pragma once

#include "common/application/finding/recorder_state.hpp"

namespace trilane {

/// Counts and times iterations while only the calls that may end one are watched. Safe to use from
/// any thread; takes no lock and allocates nothing after begin().
class EndCounter {
 public:
  /// An iteration ends with each `every`-th call; 0: with each range.
  void begin(std::uint64_t every) {
    every_ = every;
    calls_ = 0;
    last_us_ = std::numeric_limits<double>::quiet_NaN();
  }

  /// Must be called when a call that may end an iteration has ended. Returns true if it ended one.
  bool call_ended(double now_us) {
    if (every_ == 0 || (calls_.fetch_add(1, std::memory_order_relaxed) + 1) % every_ != 0) {
      return false;
    }
    iteration_took(now_us - last_us_.exchange(now_us, std::memory_order_relaxed));
    return true;
  }

  /// Forgets all iterations, because another one will be watched.
  void forget() {
    iterations_ = timed_ = skipped_ = 0;
    alone_from_ = std::numeric_limits<std::uint64_t>::max();
  }

  /// Lets iterations end one call earlier.
  void move() { calls_.fetch_add(1, std::memory_order_relaxed); }

  /// Must be called when an iteration has ended. The first after begin() has no time: not a number.
  void iteration_took(double us) {
    iterations_.fetch_add(1, std::memory_order_relaxed);
    if (const std::uint64_t left = skipped_.load(std::memory_order_relaxed)) {
      skipped_ = left - 1;
      return;
    }
    if (std::isnan(us)) return;
    const std::uint64_t place = timed_.fetch_add(1, std::memory_order_relaxed);
    times_us_[place % times_us_.size()].store(us, std::memory_order_relaxed);
  }

  /// Excludes the times of the next `iterations` iterations.
  void skip_times(std::uint64_t iterations) { skipped_ = std::max(skipped_.load(), iterations); }

  std::uint64_t iterations() const { return iterations_; }

  /// Other threads stand still from now on.
  void is_alone() { alone_from_ = timed_.load(); }

  /// Returns the latest times, at most 1,000, oldest first: those beside other threads, or `alone`.
  std::vector<double> latest_us(bool alone) const {
    const std::uint64_t end = timed_, most = times_us_.size(), kept = end < most ? 0 : end - most;
    const std::uint64_t parted = std::clamp(alone_from_.load(), kept, end);
    std::vector<double> times;
    for (std::uint64_t i = alone ? parted : kept; i < (alone ? end : parted); ++i) {
      times.push_back(times_us_[i % most]);
    }
    return times;
  }

 private:
  std::atomic<std::uint64_t> every_ = 0, calls_ = 0, iterations_ = 0, timed_ = 0;
  std::atomic<std::uint64_t> alone_from_ = std::numeric_limits<std::uint64_t>::max();
  std::atomic<double> last_us_ = 0;
  std::atomic<std::uint64_t> skipped_ = 0;
  std::array<std::atomic<double>, 1000> times_us_{};
};

/// Detects where the NVTX range that is the iteration begins and ends. Ranges nest by thread. Only
/// the first thread that opens the range is watched, so that iterations do not overlap; a range
/// inside another of the same name does not count. Takes no lock and allocates nothing.
class RangeWatch {
 public:
  explicit RangeWatch(std::string name) : name_(std::move(name)) {}

  bool used() const { return !name_.empty(); }

  /// Takes the beginning of a range of the calling thread. Returns true if an iteration begins.
  bool begins(const char* name, double now_us);
  /// Takes the end of its innermost range. Returns the begin of the iteration that ends with it.
  std::optional<double> ends();

 private:
  std::string name_;
  std::atomic<const void*> thread_ = nullptr;
};

class ApplicationRecorder {
 public:
  ApplicationRecorder(Surroundings& surroundings, const RecorderSettings& settings)
      : thread_is_wanted_(settings.thread != 0),
        range_(settings.range),
        calls_(surroundings, settings) {}

  /// Takes a call that has returned, from any thread, in the order in which calls end, and returns
  /// what to do next. Costs some 100 to 250 ns; while watching, 20 ns.
  /// - If an unconfirmed iteration does not go on, it is dropped and the search starts again.
  /// - While watching it is no longer checked. Allocations and frees may still be passed, to keep
  ///   live_memory() correct.
  ListeningStage observe(const ObservedCall& call);
  /// Returns true if a glance at the next calls is enough, because nothing repeats; those that
  /// allocate, free or change graphs must be observed all the same.
  bool glances() const { return glances_.load(std::memory_order_relaxed); }
  /// Takes a call that has returned at a glance. Costs some 20 ns.
  void glance(const CallGlance& call);
  /// Must be called when the application has destroyed a stream, unloaded kernels, or reset a
  /// context, which does both: their handles may be reused.
  void stream_destroyed(std::uint64_t stream) { locked()->facts().stream_destroyed(stream); }
  void kernels_unloaded() { locked()->facts().kernels_unloaded(); }
  void context_reset() { locked()->facts().context_reset(); }
  /// Takes a capture that has ended, and calls with other effects on captures than to break one.
  void capture_ended(const ObservedCapture& capture) { locked()->capture_ended(capture); }
  void capture_noted(const ObservedCaptureCall& call) { locked()->capture_noted(call); }
  /// Returns true if only the calls that may end an iteration are handed over.
  bool watches() const { return stage_.load(std::memory_order_relaxed) == ListeningStage::watch; }
  /// Takes the start and end of an NVTX range of the calling thread.
  ListeningStage range_begins(const char* name, double now_us);
  ListeningStage range_ends(double now_us);
  /// While watching, where an iteration begins: requests device times of some iterations. Works
  /// once; later calls change nothing. If the iteration does not go on meanwhile, what is known of
  /// it stays.
  ListeningStage trace_devices(double now_us);
  /// Returns true while one iteration passes whose calls should have stacks: the first of those
  /// that confirm what was found.
  bool wants_stacks() const { return stacks_.load(std::memory_order_relaxed); }
  /// Sets the cost of listening. Until then, times include it.
  void listening_costs(const ListeningCosts& costs) { locked()->take(costs); }
  /// While watching: adds a repetition of the iteration whose calls were captured elsewhere. A
  /// value varies if it differs from that in latest().
  void also_seen(const ObservedIteration& iteration) { locked()->also_seen(iteration); }
  /// Releases what is kept for device times, because none are wanted any more. Does nothing except
  /// while watching.
  void trace_nothing() { locked()->trace_nothing(); }
  /// Returns true if the number of iterations given by the settings has been traced.
  bool traced_all() const { return locked()->traced_all(); }
  /// Takes device times of traced calls, in any order.
  void device_times(std::span<const DeviceTime> times) { locked()->take(times); }

  /// Takes the lengths of operations that a replay timed, in us by call. They count unless device
  /// times were taken.
  void device_lengths(std::vector<std::optional<double>> us) {
    locked()->device_lengths(std::move(us));
  }

  /// While watching: returns the number of the function whose calls end an iteration. Each call
  /// counts, because an iteration may have several. Returns 0 if a range is the iteration: its end
  /// is enough.
  std::uint32_t ending_function() const { return function_; }
  /// Returns true if the call or range end that this thread has just handed over ended an
  /// iteration, while tracing or watching.
  bool at_iteration_end() const;
  /// Returns true if the range start that this thread has just handed over begins the iteration.
  bool at_iteration_begin() const;

  /// While watching: excludes this many iterations from timing, starting with the one under way,
  /// because the listener lengthens them.
  void skip_times(std::uint64_t iterations) { ends_.skip_times(iterations); }

  /// Returns the only thread whose calls are the iteration; 0: those of any thread are.
  std::uint64_t only_thread() const { return thread_; }
  /// While watching: searches again, for the calls of all threads, because the only thread needs
  /// others. Returns false, and does nothing, if their calls have not repeated together.
  bool join_threads();
  /// Returns true if a call of the thread may be one of the iteration.
  bool may_take(std::uint64_t thread) const {
    const std::uint64_t only = thread_;
    return only == 0 || only == thread;
  }
  /// While watching: says that `others` other threads stand still from now on, except for those
  /// that make no calls. Times until now are those beside them.
  void is_alone(std::uint32_t others) {
    others_ = others;
    ends_.is_alone();
  }
  /// While watching: lets iterations end one call of ending_function() earlier. Must be called if
  /// one began elsewhere, because others, or breaks between them, had more or fewer such calls.
  void move_end() { ends_.move(); }

  /// Sets how much longer CUPTI's presence in the process makes an iteration.
  void cupti_added(double us) { locked()->cupti_added(us); }

  /// Returns the last iteration whose calls were all handed over; valid until the next one ends.
  /// Null until there is one, while watching.
  const ObservedIteration* latest() const { return locked()->latest(); }
  /// Returns what is known so far, even without an iteration.
  ApplicationRecording recording() const;
  /// While watching: returns the functions that only calls of the iteration use, as far as is
  /// known: none beside other threads, or if other calls may lie between iterations.
  std::set<std::uint32_t> own_functions() const { return locked()->own_functions(); }
  /// Returns memory that the application has allocated and not freed, by address.
  std::vector<MemoryFacts> live_memory() const { return locked()->live_memory(); }
  /// Returns streams that calls have named and that the application has not destroyed. While
  /// watching no more are noted.
  std::vector<std::uint64_t> live_streams() const { return locked()->facts().live_streams(); }

 private:
  /// Gives access to the state of the calls, under the lock while it exists.
  template <typename State>
  struct Locked {
    std::unique_lock<std::mutex> lock;
    State* state;
    State* operator->() const { return state; }
  };
  Locked<RecorderState> locked() { return {std::unique_lock(mutex_), &calls_}; }
  Locked<const RecorderState> locked() const { return {std::unique_lock(mutex_), &calls_}; }

  ListeningStage decided();
  ListeningStage watch(const ObservedCall& call);
  bool is_by_thread(std::uint64_t caller);

  mutable std::mutex mutex_;
  std::atomic<ListeningStage> stage_ = ListeningStage::search;
  std::atomic<std::uint32_t> function_ = 0;
  std::atomic<bool> stacks_ = false;  ///< wanted
  std::atomic<bool> glances_ = false;
  const bool thread_is_wanted_;
  std::atomic<std::uint64_t> thread_ = 0;     ///< RecorderState::only_thread()
  std::atomic<std::uint32_t> strangers_ = 0;  ///< ends by others since its last one
  std::atomic<std::uint32_t> others_ = 0;     ///< that stand still
  EndCounter ends_;
  RangeWatch range_;
  RecorderState calls_;
};

}  // namespace trilane
