// The listener's callback, which every call of the application passes through.
#include <unistd.h>

#include <chrono>

#include "common/application/finding/listening_samples.hpp"
#include "common/application/iteration/clock.hpp"
#include "common/application/recorder/listening/ends_of_work.hpp"
#include "common/application/recorder/listening/listener_guard.hpp"

namespace trilane {
namespace {

std::uint64_t thread_number() {
  if (this_thread.number == 0) this_thread.number = static_cast<std::uint64_t>(gettid());
  return this_thread.number;
}

/// Returns true if the call failed because a capture is under way.
bool is_of_capture(CUresult code) {
  return code >= CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED &&
         code <= CUDA_ERROR_STREAM_CAPTURE_WRONG_THREAD;
}

/// Takes the stamps of an application's call.
void take_sample(const CUpti_CallbackData& call) {
  if (call.callbackSite == CUPTI_API_ENTER) return this_thread.samples->begins(recorder_now_us());
  const double end_us = recorder_now_us();
  this_thread.samples->ends(end_us, recorder_now_us());
}

}  // namespace

void CUPTIAPI Listener::called(void* self, CUpti_CallbackDomain domain, CUpti_CallbackId id,
                               const void* data) {
  auto& listener = *static_cast<Listener*>(self);
  if (listener.silent_.load(std::memory_order_relaxed)) return;
  // The recorder's own queries may load a module of the application, too.
  if (domain == CUPTI_CB_DOMAIN_RESOURCE) {
    listener.guarded(
        [&] { listener.module_changed(id, *static_cast<const CUpti_ResourceData*>(data)); });
    return;
  }
  const auto& call = *static_cast<const CUpti_CallbackData*>(data);
  if (this_thread.own) {
    if (this_thread.samples != nullptr) take_sample(call);
    return;
  }
  this_thread.ended_work = false;
  const bool outside = listener.hear(domain, id, call);
  if (outside && listener.ordered_.load(std::memory_order_relaxed) != Order::none) listener.obey();
}

/// Returns true if the thread has just left the driver.
bool Listener::hear(CUpti_CallbackDomain domain, CUpti_CallbackId id,
                    const CUpti_CallbackData& call) {
  ThreadTime& time = this_thread.time;
  const bool enters = call.callbackSite == CUPTI_API_ENTER;
  const std::uint32_t era = era_.load(std::memory_order_relaxed);
  if (domain == CUPTI_CB_DOMAIN_RUNTIME_API) {
    note_thread();
    const double now_us = recorder_now_us();
    enters ? time.runtime_enters(era, id, now_us) : time.runtime_returns(era, now_us);
    return false;
  }
  if (domain != CUPTI_CB_DOMAIN_DRIVER_API) return false;
  if (enters) {
    note_thread();
    if (listened_call(id) != nullptr && ends_streams(*listened_call(id)))
      guarded([&] { destroys(*listened_call(id), call); });
    if (!time.enters(era)) return false;
    if (taking_.load(std::memory_order_relaxed)) guarded([&] { this->enters(id, call); });
    time.begins(recorder_now_us());
    return false;
  }
  if (!time.returns(era)) return false;
  const double end_us = recorder_now_us();
  const ListenedCall* const what = listened_call(id);
  const auto result = static_cast<const CUresult*>(call.functionReturnValue);
  const CUresult code = result == nullptr ? CUDA_ERROR_UNKNOWN : *result;
  // A capture also ends if its end call fails.
  if (what == nullptr || (code != CUDA_SUCCESS && what->effect != Effect::capture_ends)) {
    if (what != nullptr && is_of_capture(code)) guarded([&] { failed(*what, code); });
    time.listened(false, end_us, end_us);
    return true;
  }
  bool kept = false;
  guarded([&] { kept = returned(*what, call, code, end_us); });
  time.listened(kept, end_us, recorder_now_us());
  return true;
}

void Listener::note_thread() {
  const std::uint64_t number = thread_number();
  std::uint64_t first = thread_.load(std::memory_order_relaxed);
  if (first == number) return;
  if (first == 0 && thread_.compare_exchange_strong(first, number)) return;
  several_threads_ = several_threads_ || first != number;
}

/// Locks, or returns false once nothing is listened to: a thread does not wait for a replay.
bool Listener::lock_unless_silent(std::unique_lock<std::timed_mutex>& lock) {
  constexpr auto pause = std::chrono::milliseconds(1);
  // Mostly it is free; only a wait reads the clock first.
  while (!lock.try_lock() && !lock.try_lock_for(pause)) {
    if (silent_) return false;
  }
  return !silent_;
}

/// Returns false if another thread is already doing it: CUPTI may wait for this callback.
bool Listener::lock_unless_obeyed(std::unique_lock<std::timed_mutex>& lock) {
  constexpr auto pause = std::chrono::milliseconds(1);
  while (!lock.try_lock_for(pause)) {
    if (ordered_ == Order::none || (silent_ && !left_)) return false;
  }
  return true;
}

/// Does what only a callback at the return of a call may do.
void Listener::obey() {
  switch (ordered_.load()) {
    case Order::none: return;
    case Order::leave:
      return guarded([&] {
        std::unique_lock lock(mutex_, std::defer_lock);
        if (!lock_unless_obeyed(lock)) return;
        if (goes_now() && ordered_.exchange(Order::none) != Order::none) leave();
      });
    case Order::end_application:
      if (ordered_.exchange(Order::none) != Order::none) end_application();
  }
}

/// Does not lock, because the thread may hold the lock.
void Listener::module_changed(CUpti_CallbackId id, const CUpti_ResourceData& data) {
  const auto* const module = static_cast<const CUpti_ModuleResourceData*>(data.resourceDescriptor);
  if (module == nullptr) return;
  if (id == CUPTI_CBID_RESOURCE_MODULE_UNLOAD_STARTING) return modules_.unloaded(module->moduleId);
  const auto* const code = reinterpret_cast<const std::byte*>(module->pCubin);
  modules_.loaded(module->moduleId, {code, code == nullptr ? 0 : module->cubinSize});
}

/// Returns true if the recorder keeps it as a call of the application.
bool Listener::returned(const ListenedCall& what, const CUpti_CallbackData& data, CUresult code,
                        double end_us) {
  std::unique_lock lock(mutex_, std::defer_lock);
  if (!lock_unless_silent(lock)) return false;
  if (what.effect != Effect::observed) {
    if (!ends_streams(what)) changed(what, data, code);
    return false;
  }
  const ThreadTime& time = this_thread.time;
  ObservedCall call{.kind = what.kind,
                    .function = what.id,
                    .runtime = looking_ == ListeningStage::confirm ? time.runtime() : 0,
                    .context = number_of(data.context),
                    .thread = thread_number(),
                    .correlation = data.correlationId,
                    .refusal = what.refusal,
                    .begin_us = time.begin_us(),
                    .end_us = end_us,
                    .inside = time.inside(),
                    .before = time.before()};
  return observe(what, data, call) && call.kind != CallKind::query;
}

bool Listener::observe(const ListenedCall& what, const CUpti_CallbackData& data,
                       ObservedCall& call) {
  if (what.decode != nullptr) what.decode(data.functionParams, call);
  call.stream = stream_of(call.stream, what);
  if (!captured_.empty() && what.stream != DefaultStream::none && is_captured(call.stream))
    return false;
  if (data.context != nullptr) context_ = data.context;
  if (what.lasts) replay_.refuses(surroundings_.driver_name(what.id), what.refusal);
  if (what.change != nullptr) what.change(data.functionParams, graphs_, call);
  if (what.kind == CallKind::graph_launch &&
      (looking_ != ListeningStage::watch || replay_.is_taking())) {
    const auto executable = reinterpret_cast<CUgraphExec>(call.executable);
    call.graph = graphs_.what_is_in(executable);
    call.refusal = graphs_.refusal_of(executable);
  }
  this_thread.ended_work = ends_work(call);
  const ListeningStage next = recorder_.observe(call);
  page_.calls.fetch_add(1, std::memory_order_relaxed);
  runtime_.called(this_thread.time.runtime_now());
  if (may_look(call, next)) look(next);
  if (replay_.is_taking()) {
    taken(what, data, call);
  } else if (looking_ == ListeningStage::watch && recorder_.at_iteration_end()) {
    page_.watched.fetch_add(1, std::memory_order_relaxed);
    iteration_begins(call.end_us);
  }
  return true;
}

void Listener::enters(CUpti_CallbackId id, const CUpti_CallbackData& data) {
  std::unique_lock lock(mutex_, std::defer_lock);
  if (!lock_unless_silent(lock)) return;
  const ListenedCall* const what = listened_call(id);
  if (what != nullptr && replay_.is_taking()) replay_.enters(*what, data.functionParams, graphs_);
}

}  // namespace trilane
