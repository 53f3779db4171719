#include "common/application/finding/application_recorder.hpp"

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

constexpr std::uint32_t most_strangers = 10'000;

/// Stores only what changes, because a store that others must see costs as much as a lock.
template <typename Value>
void publish(std::atomic<Value>& to, Value value) {
  if (to.load(std::memory_order_relaxed) != value) to = value;
}

}  // namespace

bool RangeWatch::begins(const char* name, double now_us) {
  OpenRanges& mine = ranges_of(this);
  ++mine.open;
  if (mine.iteration != 0 || name == nullptr || name != name_) return false;
  const void* none = nullptr;
  if (!thread_.compare_exchange_strong(none, &mine) && none != &mine) return false;
  mine.iteration = mine.open;
  mine.begun_us = now_us;
  return true;
}

std::optional<double> RangeWatch::ends() {
  OpenRanges& mine = ranges_of(this);
  if (mine.open == 0) return std::nullopt;  // begun before recording started
  if (mine.open-- != mine.iteration) return std::nullopt;
  mine.iteration = 0;
  return mine.begun_us;
}

/// Publishes what was decided under the lock.
ListeningStage ApplicationRecorder::decided() {
  const ListeningStage now = calls_.listening();
  if (now == ListeningStage::watch && stage_ != ListeningStage::watch) {
    function_ = range_.used() ? 0 : calls_.ending_function();
    ends_.begin(range_.used() ? 0 : calls_.ending_calls());
  }
  publish(stacks_, calls_.wants_stacks());
  publish(glances_, calls_.glances());
  publish(thread_, calls_.only_thread());
  publish(stage_, now);
  return now;
}

ListeningStage ApplicationRecorder::watch(const ObservedCall& call) {
  // Cheap if the listener still hands these over; otherwise live_memory() stays as it was.
  if (allocates(call.kind) || frees(call.kind)) locked()->take_memory(call);
  if (call.function == function_ && is_by_thread(call.thread)) {
    ended_iteration = ends_.call_ended(call.end_us);
  }
  return ListeningStage::watch;
}

/// Returns true if the thread's calls end iterations. If others have made many such calls since the
/// only thread's last one, each thread's do.
bool ApplicationRecorder::is_by_thread(std::uint64_t caller) {
  const std::uint64_t only = thread_;
  if (only == 0) return true;
  if (only == caller) {
    strangers_.store(0, std::memory_order_relaxed);
  } else if (strangers_.fetch_add(1) == most_strangers && !thread_is_wanted_) {
    thread_ = 0;
  }
  return only == caller;
}

ListeningStage ApplicationRecorder::observe(const ObservedCall& call) {
  ended_iteration = false;
  if (stage_.load(std::memory_order_acquire) == ListeningStage::watch) return watch(call);
  const std::lock_guard lock(mutex_);
  // Another thread may just have found the iteration; this call belongs to none.
  if (calls_.listening() == ListeningStage::watch) return ListeningStage::watch;
  ended_iteration = calls_.take(call);
  return decided();
}

void ApplicationRecorder::glance(const CallGlance& call) {
  const std::lock_guard lock(mutex_);
  calls_.glance(call);
  publish(glances_, calls_.glances());
}

ListeningStage ApplicationRecorder::range_begins(const char* name, double now_us) {
  const ListeningStage now = stage_.load(std::memory_order_acquire);
  began_iteration = range_.used() && range_.begins(name, now_us);
  if (began_iteration && now != ListeningStage::watch) locked()->range_begins();
  return now;
}

ListeningStage ApplicationRecorder::range_ends(double now_us) {
  ended_iteration = false;
  const ListeningStage now = stage_.load(std::memory_order_acquire);
  if (!range_.used()) return now;
  const auto begun_us = range_.ends();
  if (!begun_us) return now;
  ended_iteration = true;
  if (now == ListeningStage::watch) {
    ends_.iteration_took(now_us - *begun_us);
    return now;
  }
  const std::lock_guard lock(mutex_);
  calls_.range_ended(*begun_us, now_us);
  ended_iteration = now == ListeningStage::trace;
  return decided();
}

ListeningStage ApplicationRecorder::trace_devices(double now_us) {
  const std::lock_guard lock(mutex_);
  calls_.trace_devices(now_us);
  return decided();
}

bool ApplicationRecorder::at_iteration_end() const { return ended_iteration; }

bool ApplicationRecorder::at_iteration_begin() const { return began_iteration; }

bool ApplicationRecorder::join_threads() {
  const std::lock_guard lock(mutex_);
  const bool joined = calls_.join_threads();
  if (joined) {
    ends_.forget();
    others_ = 0;
  }
  decided();
  return joined;
}

ApplicationRecording ApplicationRecorder::recording() const {
  return locked()->recording(ends_.iterations(), ends_.latest_us(false),
                             {.others = others_, .alone_us = ends_.latest_us(true)});
}

}  // namespace trilane
