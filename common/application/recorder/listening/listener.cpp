#include "common/application/recorder/listening/listener.hpp"

#include <set>
#include <utility>
#include <vector>

#include "common/application/finding/listening_samples.hpp"
#include "common/application/iteration/clock.hpp"
#include "common/application/iteration/records/recorded_parts.hpp"
#include "common/application/recorder/driver/driver_functions.hpp"
#include "common/application/recorder/listening/listener_guard.hpp"
#include "common/application/recorder/listening/thread_state.hpp"
#include "common/base/text/exit_code.hpp"
#include "common/device/cuda/cupti.hpp"
#include "common/explain/statistics/statistics.hpp"

namespace trilane {
namespace {

constexpr std::size_t probe_calls = 400;
constexpr std::size_t probe_batches = 20;

/// The driver's answer does not matter: without a context it is an error, which is not stored
/// anywhere.
template <typename Ask>
void ask_often(Ask ask, std::size_t times) {
  CUdevice device = 0;
  for (std::size_t i = 0; i < times; ++i) static_cast<void>(ask(&device));
}

template <typename Ask>
double untraced_us(Ask ask) {
  std::vector<double> each_us;
  for (std::size_t i = 0; i < probe_batches; ++i) {
    const double start_us = recorder_now_us();
    ask_often(ask, probe_calls / probe_batches);
    each_us.push_back((recorder_now_us() - start_us) / (probe_calls / probe_batches));
  }
  return median(each_us);
}

/// Returns the cost of the driver's callbacks, by 400 of the recorder's own calls, which ask for
/// the context's device and change nothing; takes some 0.2 ms. Must be called in a callback, in
/// which OwnCalls marks such calls as not the application's. Absent if CUPTI does not call back for
/// them.
std::optional<ListeningCosts> measured_costs(Subscription& subscription) {
  const auto ask = driver_functions().ctx_get_device;
  if (ask == nullptr) return std::nullopt;
  const double by_itself_us = untraced_us(ask);
  ListeningSamples samples(probe_calls);
  this_thread.samples = &samples;
  subscription.enable_probe(true);
  ask_often(ask, probe_calls);
  subscription.enable_probe(false);
  this_thread.samples = nullptr;
  return samples.costs(by_itself_us);
}

}  // namespace

Listener::Listener(RecorderStatus& page, RecorderSettings settings, std::string path,
                   ReplayStage replay)
    : page_(page),
      path_(std::move(path)),
      recorder_(surroundings_, std::move(settings)),
      replay_(std::move(replay)) {}

bool Listener::start() {
  guarded([&] {
    CUptiResult code = CUPTI_SUCCESS;
    try {
      code = subscription_.begin(&Listener::called, this);
    } catch (const NotPossible& error) {
      note_problem(page_, RecorderProblem::no_cupti, error.what());
      return;
    }
    if (code == CUPTI_ERROR_MULTIPLE_SUBSCRIBERS_NOT_SUPPORTED) {
      note_problem(page_, RecorderProblem::other_subscriber, "");
      return;
    }
    if (code != CUPTI_SUCCESS) {
      const char* words = nullptr;
      cupti().get_result_string(code, &words);
      note_problem(page_, RecorderProblem::cupti_failed, words == nullptr ? "" : words);
      return;
    }
    subscription_.enable_all();
    if (!replay_.is_over()) subscription_.enable_modules();
    silent_ = false;
  });
  return !silent_;
}

void Listener::look(Looking next) {
  if (next == looking_) return;
  if (looking_ == Looking::at_devices) stop_tracer();
  switch (next) {
    case Looking::for_iteration: subscription_.enable_all(); break;
    case Looking::at_host: listen_to_runtime(); break;
    case Looking::at_devices:
      subscription_.enable_all();
      start_tracer();
      break;
    case Looking::at_ends:
      iteration_is_known();
      // This takes time in the next iteration; after a range, in none.
      if (recorder_.ending_function() != 0) recorder_.skip_times(1);
      listen_for_ends();
      break;
  }
  late_calls_ = 0;
  known_ = false;
  // Must come after that: whatever was entered before may return unheard.
  era_.fetch_add(1, std::memory_order_relaxed);
  looking_ = next;
  page_.looking = static_cast<std::uint32_t>(next);
}

/// Changes what is listened to, if this thread is in no call. Another may be in one.
void Listener::look_outside(Looking next) {
  if (next == looking_) return;
  note_thread();
  if (looking_ == Looking::at_host) runtime_.end(0);
  look(next);
}

/// Called once for each change of what is listened to.
void Listener::iteration_is_known() {
  if (std::exchange(known_, true)) return;
  replay_.watches(modules_);
  write_soon();
}

/// Takes effect with the next call: whatever was entered before may return unheard.
void Listener::listen_to_all() {
  subscription_.enable_all();
  era_.fetch_add(1, std::memory_order_relaxed);
}

/// Also listens for captures, in which much is forbidden, for destroyed streams, and for calls that
/// make and change graphs and memory. The iteration's own calls are seen again when it is taken.
void Listener::listen_for_ends() {
  const CUpti_CallbackId ending = recorder_.ending_function();
  const ObservedIteration* const iteration = recorder_.latest();
  std::set<CUpti_CallbackId> called;
  for (std::size_t i = 0; iteration != nullptr && i < iteration->calls.size(); ++i) {
    called.insert(iteration->calls[i].function);
  }
  subscription_.enable([&](CUpti_CallbackId id) {
    const ListenedCall& call = *listened_call(id);
    if (id == ending || call.lasts) return true;
    switch (call.effect) {
      case Effect::capture_begins:
      case Effect::capture_ends:
      case Effect::destroys_stream:
      case Effect::resets: return true;
      case Effect::observed:
      case Effect::unloads: break;
    }
    const bool of_memory = allocates(call.kind) || frees(call.kind);
    return (call.change != nullptr || of_memory) && !called.contains(id);
  });
}

/// Measures the cost of listening first, when the application is warm and about to be timed.
void Listener::listen_to_runtime() {
  if (!probed_) {
    probed_ = true;
    if (const auto costs = measured_costs(subscription_)) recorder_.listening_costs(*costs);
  }
  runtime_.begin();
}

void Listener::range_begins(const char* name) {
  if (silent_) return;
  guarded([&] {
    std::unique_lock lock(mutex_, std::defer_lock);
    if (!lock_unless_silent(lock)) return;
    const double now_us = recorder_now_us();
    look_outside(recorder_.range_begins(name, now_us));
    if (looking_ == Looking::at_ends && recorder_.at_iteration_begin()) iteration_begins(now_us);
  });
}

void Listener::range_ends() {
  if (silent_) return;
  guarded([&] {
    std::unique_lock lock(mutex_, std::defer_lock);
    if (!lock_unless_silent(lock)) return;
    look_outside(recorder_.range_ends(recorder_now_us()));
    if (looking_ != Looking::at_ends || !recorder_.at_iteration_end()) return;
    page_.watched.fetch_add(1, std::memory_order_relaxed);
    if (!replay_.is_taking()) return;
    replay_.differs();
    stop_taking();
  });
}

}  // namespace trilane
