#include "common/application/finding/application_recorder.hpp"

#include "common/application/finding/recorder_state.hpp"

namespace trilane {
namespace {

/// True if this thread's latest call or range has ended or begun an iteration.
thread_local bool ended_iteration = false, began_iteration = false;

/// A thread's ranges, as RangeWatch counts them.
struct OpenRanges {
  const void* watch = nullptr;  ///< the owner of the other members
  int open = 0;
  int iteration = 0;  ///< number of ranges open once the iteration's is; 0: it is not open
  double begun_us = 0;
};
thread_local OpenRanges ranges;

OpenRanges& ranges_of(const void* watch) {
  if (ranges.watch != watch) ranges = {.watch = watch};
  return ranges;
}

}  // namespace

// Members of State have no types of the anonymous namespace, because State itself is outside it.

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
  bool begins(const char* name, double now_us) {
    OpenRanges& mine = ranges_of(this);
    ++mine.open;
    if (mine.iteration != 0 || name == nullptr || name != name_) return false;
    const void* none = nullptr;
    if (!thread_.compare_exchange_strong(none, &mine) && none != &mine) return false;
    mine.iteration = mine.open;
    mine.begun_us = now_us;
    return true;
  }
  /// Takes the end of its innermost range. Returns the begin of the iteration that ends with it.
  std::optional<double> ends() {
    OpenRanges& mine = ranges_of(this);
    if (mine.open == 0) return std::nullopt;  // begun before recording started
    if (mine.open-- != mine.iteration) return std::nullopt;
    mine.iteration = 0;
    return mine.begun_us;
  }

 private:
  std::string name_;
  std::atomic<const void*> thread_ = nullptr;
};

struct ApplicationRecorder::State {
  State(Surroundings& surroundings, RecorderSettings settings)
      : thread_is_wanted(settings.thread != 0),
        range(settings.range),
        calls(surroundings, settings) {}

  /// Publishes what was decided under the lock.
  ListeningStage decided() {
    const ListeningStage now = calls.listening();
    if (now == ListeningStage::watch && stage != ListeningStage::watch) {
      function = range.used() ? 0 : calls.ending_function();
      ends.begin(range.used() ? 0 : calls.ending_calls());
    }
    publish(stacks, calls.wants_stacks());
    publish(glances, calls.glances());
    publish(thread, calls.only_thread());
    publish(stage, now);
    return now;
  }

  /// Stores only what changes, because a store that others must see costs as much as a lock.
  template <typename Value>
  static void publish(std::atomic<Value>& to, Value value) {
    if (to.load(std::memory_order_relaxed) != value) to = value;
  }

  ListeningStage watch(const ObservedCall& call) {
    // Cheap if the listener still hands these over; otherwise live_memory() stays as it was.
    if (allocates(call.kind) || frees(call.kind)) locked()->take_memory(call);
    if (call.function == function && is_by_thread(call.thread)) {
      ended_iteration = ends.call_ended(call.end_us);
    }
    return ListeningStage::watch;
  }

  /// Returns true if the thread's calls end iterations. If others have made many such calls since
  /// the only thread's last one, each thread's do.
  bool is_by_thread(std::uint64_t caller) {
    const std::uint64_t only = thread;
    if (only == 0) return true;
    if (only == caller) {
      strangers.store(0, std::memory_order_relaxed);
    } else if (strangers.fetch_add(1) == most_strangers && !thread_is_wanted) {
      thread = 0;
    }
    return only == caller;
  }

  /// Gives access to `calls`, under the lock while it exists.
  struct Locked {
    std::unique_lock<std::mutex> lock;
    RecorderState* calls;
    RecorderState* operator->() const { return calls; }
  };
  Locked locked() { return {std::unique_lock(mutex), &calls}; }

  std::mutex mutex;
  std::atomic<ListeningStage> stage = ListeningStage::search;
  std::atomic<std::uint32_t> function = 0;
  std::atomic<bool> stacks = false;  ///< wanted
  std::atomic<bool> glances = false;
  static constexpr std::uint32_t most_strangers = 10'000;
  const bool thread_is_wanted;
  std::atomic<std::uint64_t> thread = 0;     ///< RecorderState::only_thread()
  std::atomic<std::uint32_t> strangers = 0;  ///< ends by others since its last one
  std::atomic<std::uint32_t> others = 0;     ///< that stand still
  EndCounter ends;
  RangeWatch range;
  RecorderState calls;
};

std::vector<std::size_t> inherited_frees(const ObservedIteration& iteration) {
  std::vector<std::size_t> found;
  std::set<std::uint64_t> own;
  for (std::size_t i = 0; i < iteration.calls.size(); ++i) {
    const ObservedCall& call = iteration.calls[i];
    if (allocates(call.kind)) own.insert(call.destination);
    if (frees(call.kind) && own.erase(call.destination) == 0) found.push_back(i);
  }
  return found;
}

ApplicationRecorder::ApplicationRecorder(Surroundings& surroundings, RecorderSettings settings)
    : state_(std::make_unique<State>(surroundings, std::move(settings))) {}

ApplicationRecorder::~ApplicationRecorder() = default;

ListeningStage ApplicationRecorder::observe(const ObservedCall& call) {
  ended_iteration = false;
  if (state_->stage.load(std::memory_order_acquire) == ListeningStage::watch) {
    return state_->watch(call);
  }
  const std::lock_guard lock(state_->mutex);
  // Another thread may just have found the iteration; this call belongs to none.
  if (state_->calls.listening() == ListeningStage::watch) return ListeningStage::watch;
  ended_iteration = state_->calls.take(call);
  return state_->decided();
}

bool ApplicationRecorder::glances() const {
  return state_->glances.load(std::memory_order_relaxed);
}

void ApplicationRecorder::glance(const CallGlance& call) {
  const std::lock_guard lock(state_->mutex);
  state_->calls.glance(call);
  state_->publish(state_->glances, state_->calls.glances());
}

void ApplicationRecorder::stream_destroyed(std::uint64_t stream) {
  state_->locked()->facts().stream_destroyed(stream);
}

void ApplicationRecorder::kernels_unloaded() { state_->locked()->facts().kernels_unloaded(); }

void ApplicationRecorder::context_reset() { state_->locked()->facts().context_reset(); }

void ApplicationRecorder::capture_ended(const ObservedCapture& capture) {
  state_->locked()->capture_ended(capture);
}

void ApplicationRecorder::capture_noted(const ObservedCaptureCall& call) {
  state_->locked()->capture_noted(call);
}

bool ApplicationRecorder::watches() const {
  return state_->stage.load(std::memory_order_relaxed) == ListeningStage::watch;
}

ListeningStage ApplicationRecorder::range_begins(const char* name, double now_us) {
  const ListeningStage now = state_->stage.load(std::memory_order_acquire);
  began_iteration = state_->range.used() && state_->range.begins(name, now_us);
  if (began_iteration && now != ListeningStage::watch) state_->locked()->range_begins();
  return now;
}

ListeningStage ApplicationRecorder::range_ends(double now_us) {
  ended_iteration = false;
  const ListeningStage now = state_->stage.load(std::memory_order_acquire);
  if (!state_->range.used()) return now;
  const auto begun_us = state_->range.ends();
  if (!begun_us) return now;
  ended_iteration = true;
  if (now == ListeningStage::watch) {
    state_->ends.iteration_took(now_us - *begun_us);
    return now;
  }
  const std::lock_guard lock(state_->mutex);
  state_->calls.range_ended(*begun_us, now_us);
  ended_iteration = now == ListeningStage::trace;
  return state_->decided();
}

ListeningStage ApplicationRecorder::trace_devices(double now_us) {
  const std::lock_guard lock(state_->mutex);
  state_->calls.trace_devices(now_us);
  return state_->decided();
}

bool ApplicationRecorder::wants_stacks() const {
  return state_->stacks.load(std::memory_order_relaxed);
}

void ApplicationRecorder::listening_costs(const ListeningCosts& costs) {
  state_->locked()->take(costs);
}

void ApplicationRecorder::also_seen(const ObservedIteration& iteration) {
  state_->locked()->also_seen(iteration);
}

void ApplicationRecorder::trace_nothing() { state_->locked()->trace_nothing(); }

bool ApplicationRecorder::traced_all() const { return state_->locked()->traced_all(); }

void ApplicationRecorder::device_times(std::span<const DeviceTime> times) {
  state_->locked()->take(times);
}

void ApplicationRecorder::device_lengths(std::vector<std::optional<double>> us) {
  state_->locked()->device_lengths(std::move(us));
}

std::uint32_t ApplicationRecorder::ending_function() const { return state_->function; }

bool ApplicationRecorder::at_iteration_end() const { return ended_iteration; }

bool ApplicationRecorder::at_iteration_begin() const { return began_iteration; }

void ApplicationRecorder::skip_times(std::uint64_t iterations) {
  state_->ends.skip_times(iterations);
}

std::uint64_t ApplicationRecorder::only_thread() const { return state_->thread; }

bool ApplicationRecorder::join_threads() {
  const std::lock_guard lock(state_->mutex);
  const bool joined = state_->calls.join_threads();
  if (joined) {
    state_->ends.forget();
    state_->others = 0;
  }
  state_->decided();
  return joined;
}

bool ApplicationRecorder::may_take(std::uint64_t thread) const {
  const std::uint64_t only = state_->thread;
  return only == 0 || only == thread;
}

void ApplicationRecorder::is_alone(std::uint32_t others) {
  state_->others = others;
  state_->ends.is_alone();
}

void ApplicationRecorder::move_end() { state_->ends.move(); }

void ApplicationRecorder::cupti_added(double us) { state_->locked()->cupti_added(us); }

const ObservedIteration* ApplicationRecorder::latest() const { return state_->locked()->latest(); }

ApplicationRecording ApplicationRecorder::recording() const {
  return state_->locked()->recording(state_->ends.iterations(), state_->ends.latest_us(false),
                                     {state_->others, state_->ends.latest_us(true)});
}

std::set<std::uint32_t> ApplicationRecorder::own_functions() const {
  return state_->locked()->own_functions();
}

std::vector<MemoryFacts> ApplicationRecorder::live_memory() const {
  return state_->locked()->live_memory();
}

std::vector<std::uint64_t> ApplicationRecorder::live_streams() const {
  return state_->locked()->facts().live_streams();
}

}  // namespace trilane
