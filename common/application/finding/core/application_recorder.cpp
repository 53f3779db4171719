#include "common/application/finding/core/application_recorder.hpp"

#include <atomic>
#include <mutex>

#include "common/application/finding/core/end_counter.hpp"
#include "common/application/finding/core/recorder_state.hpp"
#include "common/application/finding/range_watch.hpp"

namespace trilane {
namespace {

/// True if this thread's latest call or range has ended or begun an iteration.
thread_local bool ended_iteration = false, began_iteration = false;

}  // namespace

struct ApplicationRecorder::State {
  State(Surroundings& surroundings, RecorderSettings settings)
      : range(settings.range), calls(surroundings, settings) {}

  /// Publishes what was decided under the lock.
  Looking decided() {
    const Looking now = calls.looking();
    if (now == Looking::at_ends && looking != Looking::at_ends) {
      function = range.used() ? 0 : calls.ending_function();
      ends.begin(range.used() ? 0 : calls.ending_calls());
    }
    looking = now;
    return now;
  }

  Looking watch(const ObservedCall& call) {
    // Cheap if the listener still hands these over; otherwise live_memory() stays as it was.
    if (allocates(call.kind) || frees(call.kind)) {
      const std::lock_guard lock(mutex);
      calls.take_memory(call);
    }
    if (call.function == function) ended_iteration = ends.call_ended(call.end_us);
    return Looking::at_ends;
  }

  std::mutex mutex;
  std::atomic<Looking> looking = Looking::for_iteration;
  std::atomic<std::uint32_t> function = 0;
  EndCounter ends;
  RangeWatch range;
  RecorderState calls;
};

ApplicationRecorder::ApplicationRecorder(Surroundings& surroundings, RecorderSettings settings)
    : state_(std::make_unique<State>(surroundings, std::move(settings))) {}

ApplicationRecorder::~ApplicationRecorder() = default;

Looking ApplicationRecorder::observe(const ObservedCall& call) {
  ended_iteration = false;
  if (state_->looking.load(std::memory_order_acquire) == Looking::at_ends) {
    return state_->watch(call);
  }
  const std::lock_guard lock(state_->mutex);
  // Another thread may just have found the iteration; this call belongs to none.
  if (state_->calls.looking() == Looking::at_ends) return Looking::at_ends;
  ended_iteration = state_->calls.take(call);
  return state_->decided();
}

void ApplicationRecorder::stream_destroyed(std::uint64_t stream) {
  const std::lock_guard lock(state_->mutex);
  state_->calls.facts().stream_destroyed(stream);
}

void ApplicationRecorder::kernels_unloaded() {
  const std::lock_guard lock(state_->mutex);
  state_->calls.facts().kernels_unloaded();
}

void ApplicationRecorder::context_reset() {
  const std::lock_guard lock(state_->mutex);
  state_->calls.facts().context_reset();
}

void ApplicationRecorder::capture_ended(const std::optional<BrokenCapture>& broken) {
  const std::lock_guard lock(state_->mutex);
  state_->calls.capture_ended(broken);
}

Looking ApplicationRecorder::range_begins(const char* name, double now_us) {
  const Looking now = state_->looking.load(std::memory_order_acquire);
  began_iteration = state_->range.used() && state_->range.begins(name, now_us);
  if (!began_iteration) return now;
  if (now == Looking::at_ends) return now;
  const std::lock_guard lock(state_->mutex);
  state_->calls.range_begins();
  return now;
}

Looking ApplicationRecorder::range_ends(double now_us) {
  ended_iteration = false;
  const Looking now = state_->looking.load(std::memory_order_acquire);
  if (!state_->range.used()) return now;
  const auto begun_us = state_->range.ends();
  if (!begun_us) return now;
  ended_iteration = true;
  if (now == Looking::at_ends) {
    state_->ends.iteration_took(now_us - *begun_us);
    return now;
  }
  const std::lock_guard lock(state_->mutex);
  state_->calls.range_ended(*begun_us, now_us);
  ended_iteration = now == Looking::at_devices;
  return state_->decided();
}

Looking ApplicationRecorder::trace_devices(double now_us) {
  const std::lock_guard lock(state_->mutex);
  state_->calls.trace_devices(now_us);
  return state_->decided();
}

void ApplicationRecorder::listening_costs(const ListeningCosts& costs) {
  const std::lock_guard lock(state_->mutex);
  state_->calls.take(costs);
}

void ApplicationRecorder::also_seen(const ObservedIteration& iteration) {
  const std::lock_guard lock(state_->mutex);
  state_->calls.also_seen(iteration);
}

void ApplicationRecorder::trace_nothing() {
  const std::lock_guard lock(state_->mutex);
  state_->calls.trace_nothing();
}

bool ApplicationRecorder::traced_all() const {
  const std::lock_guard lock(state_->mutex);
  return state_->calls.traced_all();
}

void ApplicationRecorder::device_times(std::span<const DeviceTime> times) {
  const std::lock_guard lock(state_->mutex);
  state_->calls.take(times);
}

std::uint32_t ApplicationRecorder::ending_function() const { return state_->function; }

bool ApplicationRecorder::at_iteration_end() const { return ended_iteration; }

bool ApplicationRecorder::at_iteration_begin() const { return began_iteration; }

void ApplicationRecorder::skip_times(std::uint64_t iterations) {
  state_->ends.skip_times(iterations);
}

void ApplicationRecorder::cupti_added(double us) {
  const std::lock_guard lock(state_->mutex);
  state_->calls.cupti_added(us);
}

const ObservedIteration* ApplicationRecorder::latest() const {
  const std::lock_guard lock(state_->mutex);
  return state_->calls.latest();
}

ApplicationRecording ApplicationRecorder::recording() const {
  const std::lock_guard lock(state_->mutex);
  return state_->calls.recording(state_->ends.iterations(), state_->ends.latest_us());
}

std::vector<MemoryFacts> ApplicationRecorder::live_memory() const {
  const std::lock_guard lock(state_->mutex);
  return state_->calls.live_memory();
}

std::vector<std::uint64_t> ApplicationRecorder::live_streams() const {
  const std::lock_guard lock(state_->mutex);
  return state_->calls.facts().live_streams();
}

}  // namespace trilane
