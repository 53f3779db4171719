#include "common/application/recorder/listening/cupti_instruments.hpp"

#include "common/application/iteration/call_kinds.hpp"
#include "common/application/recorder/driver/driver_surroundings.hpp"
#include "common/application/recorder/driver/listened_call.hpp"
#include "common/base/text/exit_code.hpp"
#include "common/device/cuda/cupti.hpp"
#include "common/explain/statistics/statistics.hpp"

namespace trilane {
namespace {

constexpr CUpti_ActivityKind kinds[] = {CUPTI_ACTIVITY_KIND_MEMCPY, CUPTI_ACTIVITY_KIND_MEMSET,
                                        CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL};

/// Returns the smallest of several offsets: larger ones were interrupted in between.
double measured_offset_us() {
  double best = 0, shortest = 0;
  constexpr int attempts = 20;
  for (int i = 0; i < attempts; ++i) {
    const double before = recorder_now_us(), there = cupti_now_us(), after = recorder_now_us();
    if (i > 0 && after - before >= shortest) continue;
    shortest = after - before;
    best = (before + after) / 2 - there;
  }
  return best;
}

constexpr double longest_rest_us = 1e6;
constexpr double longest_rest_of_full_queue_us = 10e6;

constexpr std::size_t probe_calls = 400;
constexpr std::size_t probe_batches = 20;

/// The driver's answer does not matter: without a context it is an error that nothing stores.
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

/// Returns the cost of the driver's callbacks, by 400 calls that ask for the context's device;
/// takes some 0.2 ms. Absent without callbacks.
std::optional<ListeningCosts> measured_costs(Subscription& subscription) {
  const auto ask = driver_functions().cuCtxGetDevice;
  if (!ask) return std::nullopt;
  const double by_itself_us = untraced_us(ask);
  ListeningSamples samples(probe_calls);
  this_thread.samples = &samples;
  subscription.enable_probe(true);
  ask_often(ask, probe_calls);
  subscription.enable_probe(false);
  this_thread.samples = nullptr;
  return samples.costs(by_itself_us);
}

/// Returns true if the call changes handles or memory that the iteration's own calls do not show:
/// captures, destroyed streams, and calls that make and change graphs and memory.
bool changes_unseen(const ListenedCall& call, const std::set<CUpti_CallbackId>& seen) {
  switch (call.effect) {
    case Effect::capture_begins:
    case Effect::capture_ends:
    case Effect::destroys_stream:
    case Effect::resets:
    case Effect::prepares_graph: return true;
    case Effect::loads:
    case Effect::creates:
    case Effect::observed:
    case Effect::unloads: break;
  }
  const bool of_memory = allocates(call.kind) || frees(call.kind);
  return (call.change != nullptr || of_memory) && !seen.contains(call.id);
}

}  // namespace

CUptiResult Subscription::begin(CUpti_CallbackFunc callback, void* self) {
  CUpti_SubscriberHandle subscriber = nullptr;
  const CUptiResult code = cupti().subscribe(&subscriber, callback, self);
  if (code == CUPTI_SUCCESS) subscriber_ = subscriber;
  return code;
}

void Subscription::end() {
  if (subscriber_ != nullptr) cupti().unsubscribe(std::exchange(subscriber_, nullptr));
}

void Subscription::detach() {
  if (subscriber_ == nullptr) return;
  end();
  cupti().finalize();
}

void Subscription::enable(bool on, CUpti_CallbackDomain domain, CUpti_CallbackId id) {
  if (subscriber_ != nullptr) cupti().enable_callback(on ? 1 : 0, subscriber_, domain, id);
}

void Subscription::enable_modules() {
  enable(true, CUPTI_CB_DOMAIN_RESOURCE, CUPTI_CBID_RESOURCE_MODULE_LOADED);
  enable(true, CUPTI_CB_DOMAIN_RESOURCE, CUPTI_CBID_RESOURCE_MODULE_UNLOAD_STARTING);
}

/// Calls that an older driver lacks cannot be enabled, and never occur.
void Subscription::enable(const std::function<bool(CUpti_CallbackId)>& wanted) {
  for (CUpti_CallbackId id = 0; id < CUPTI_DRIVER_TRACE_CBID_SIZE; ++id) {
    if (listened_call(id) != nullptr) enable(wanted(id), CUPTI_CB_DOMAIN_DRIVER_API, id);
  }
}

void Subscription::change_runtime(bool on, const std::function<bool(CUpti_CallbackId)>& which) {
  for (CUpti_CallbackId id = 1; id < CUPTI_RUNTIME_TRACE_CBID_SIZE; ++id) {
    if (which(id)) enable(on, CUPTI_CB_DOMAIN_RUNTIME_API, id);
  }
}

void RuntimeCallbacks::begin() {
  const Within left = state_ == State::ending ? told_within_ : Within(0);
  if (left) subscription_.change_runtime(true, [&](CUpti_CallbackId id) { return id != *left; });
  state_ = State::on;
}

void RuntimeCallbacks::end(std::uint64_t thread, Within within) {
  if (state_ != State::on) return called(thread, within);
  thread_ = thread;
  told_within_.reset();
  state_ = State::ending;
  tell(within);
}

void RuntimeCallbacks::tell(Within within) {
  if (!within || within == told_within_) return;
  if (told_within_) {
    subscription_.change_runtime(false, [&](CUpti_CallbackId id) { return id == *told_within_; });
    state_ = State::off;
    return;
  }
  subscription_.change_runtime(false, [&](CUpti_CallbackId id) { return id != *within; });
  told_within_ = within;
  if (within == 0u) state_ = State::off;
}

void CuptiInstruments::end() {
  if (tracing_) stop_tracer();
  subscription_.end();
}

ApplicationNow CuptiInstruments::now() const {
  return {.has_graphs = graphs_.any(),
          .several_threads = threads_.several(),
          .captures = captures_.any(),
          .ended_work = this_thread.ended_work};
}

void CuptiInstruments::listen_to(Heard functions) {
  switch (functions) {
    case Heard::all: return subscription_.enable_all();
    case Heard::none: return subscription_.enable([](CUpti_CallbackId) { return false; });
    case Heard::ends: break;
  }
  const CUpti_CallbackId ending = recorder_.ending_function();
  const std::set<CUpti_CallbackId> seen = recorder_.own_functions();
  subscription_.enable([&](CUpti_CallbackId id) {
    const ListenedCall& call = *listened_call(id);
    return id == ending || call.lasts || changes_unseen(call, seen);
  });
}

/// Measures the cost when the application is warm and about to be timed.
void CuptiInstruments::listen_to_runtime() {
  if (!std::exchange(probed_, true)) {
    if (const auto costs = measured_costs(subscription_)) recorder_.listening_costs(*costs);
  }
  runtime_.begin();
}

bool CuptiInstruments::end_runtime(bool within_none) {
  runtime_.end(CallingThreads::number(),
               within_none ? RuntimeCallbacks::Within(0) : this_thread.time.runtime_now());
  return runtime_.has_ended();
}

/// A recording without device times says when calls were made, but not when the device worked.
void CuptiInstruments::start_tracer() {
  try {
    cupti_now_us();  // starts the clock of the records
    offset_us_ = measured_offset_us();
    receive_cupti_records();
    for (const CUpti_ActivityKind kind : kinds) {
      check_cupti(cupti().activity_enable(kind), "cuptiActivityEnable");
    }
    tracing_ = true;
  } catch (const NotPossible&) {
    take_no_records();
  }
}

void CuptiInstruments::take_no_records() {
  for (const CUpti_ActivityKind kind : kinds) cupti().activity_disable(kind);
  tracing_ = false;
}

/// Returns the times of the operations that CUPTI knows to be done, since the last call; those of a
/// graph have the number of its launch. Blocks some milliseconds. Throws NotPossible.
std::vector<DeviceTime> CuptiInstruments::device_times() const {
  return transformed(take_cupti_records().operations, [&](const TracedOperation& operation) {
    return DeviceTime{.correlation = static_cast<std::uint32_t>(operation.call),
                      .start_us = operation.start_us + offset_us_,
                      .end_us = operation.end_us + offset_us_};
  });
}

/// Asks nothing of the device: at the application's end its streams may be gone.
bool CuptiInstruments::stop_tracer() {
  take_no_records();
  // Each launch takes longer from now on.
  recorder_.skip_times(std::numeric_limits<std::uint64_t>::max());
  try {
    recorder_.device_times(device_times());
  } catch (const NotPossible&) {
    return false;
  }
  return true;
}

/// Asks without waiting for the device. Waiting may need a thread that waits for this one, would
/// end a capture, and would never end if a kernel runs permanently beside the loop.
bool CuptiInstruments::device_is_done() const {
  const auto ask = driver_functions().cuStreamQuery;
  if (!ask || recorder_.latest() == nullptr) return true;
  if (captures_.any()) return false;
  const std::vector<std::uint64_t> streams = recorder_.live_streams();
  const double end_us =
      recorder_now_us() +
      (never_waits(*recorder_.latest()) ? longest_rest_of_full_queue_us : longest_rest_us);
  return std::ranges::all_of(streams, [&](std::uint64_t stream) {
    CUresult answer = CUDA_ERROR_NOT_READY;
    do answer = ask(reinterpret_cast<CUstream>(stream));
    while (answer == CUDA_ERROR_NOT_READY && recorder_now_us() < end_us);
    return answer == CUDA_SUCCESS;
  });
}

/// The replay calls only the driver, so callbacks of the runtime's functions hold back those that
/// call it without slowing the replay. With several threads CUPTI stays: they may be disabled.
void CuptiInstruments::stop_at_runtime(bool on) {
  subscription_.change_runtime(on, [](CUpti_CallbackId) { return true; });
}

}  // namespace trilane
