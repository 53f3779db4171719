#include "common/recorder/listening/listener.hpp"

#include <unistd.h>

#include <chrono>
#include <exception>

#include "common/device/cuda/cupti.hpp"
#include "common/recorder/calls/launch_parameters.hpp"
#include "common/recorder/driver/driver_functions.hpp"
#include "common/recorder/listening/clock.hpp"
#include "common/text/exit_code.hpp"

namespace trilane {
namespace {

/// What a thread is doing. Plain, so that reading it is a few instructions.
struct ThreadState {
  std::uint32_t era, depth, runtime;
  bool own;  ///< in the recorder itself, whose calls are not the application's
  std::uint64_t number;
  double begin_us;
};
constinit thread_local ThreadState this_thread{};

std::uint64_t thread_number() {
  if (this_thread.number == 0) this_thread.number = static_cast<std::uint64_t>(gettid());
  return this_thread.number;
}

class OwnCalls {
 public:
  OwnCalls() : before_(this_thread.own) { this_thread.own = true; }
  OwnCalls(const OwnCalls&) = delete;
  OwnCalls& operator=(const OwnCalls&) = delete;
  ~OwnCalls() { this_thread.own = before_; }

 private:
  const bool before_;
};

std::uint64_t stream_of(std::uint64_t handle, DefaultStream standard) {
  if (handle != 0) return handle;
  switch (standard) {
    case DefaultStream::none: return 0;
    case DefaultStream::legacy: return legacy_stream;
    case DefaultStream::per_thread: return per_thread_stream;
  }
  return 0;
}

}  // namespace

Listener::Listener(RecorderStatus& page, RecorderSettings settings, std::string path)
    : page_(page), path_(std::move(path)), recorder_(surroundings_, std::move(settings)) {}

template <typename Action>
void Listener::guarded(Action action) {
  const OwnCalls own;
  try {
    action();
  } catch (const std::exception& error) {
    silent_ = true;
    note_problem(page_, RecorderProblem::failed, error.what());
  } catch (...) {
    silent_ = true;
    note_problem(page_, RecorderProblem::failed, "an unknown error");
  }
}

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
    silent_ = false;
  });
  return !silent_;
}

void CUPTIAPI Listener::called(void* self, CUpti_CallbackDomain domain, CUpti_CallbackId id,
                               const void* data) {
  auto& listener = *static_cast<Listener*>(self);
  ThreadState& thread = this_thread;
  if (thread.own || listener.silent_.load(std::memory_order_relaxed)) return;
  const auto& call = *static_cast<const CUpti_CallbackData*>(data);
  const bool enters = call.callbackSite == CUPTI_API_ENTER;
  if (domain == CUPTI_CB_DOMAIN_RUNTIME_API) {
    thread.runtime = enters ? id : 0;
    return;
  }
  if (domain != CUPTI_CB_DOMAIN_DRIVER_API) return;
  const std::uint32_t era = listener.era_.load(std::memory_order_relaxed);
  if (enters) {
    // What was listened to before may have entered and not returned.
    if (thread.era != era) thread.depth = 0;
    thread.era = era;
    if (thread.depth++ == 0) thread.begin_us = recorder_now_us();
    return;
  }
  if (thread.era != era || thread.depth == 0 || --thread.depth > 0) return;
  const double end_us = recorder_now_us();
  const ListenedCall* const what = listened_call(id);
  const auto result = static_cast<const CUresult*>(call.functionReturnValue);
  if (what == nullptr || result == nullptr || *result != CUDA_SUCCESS) return;
  listener.guarded([&] { listener.returned(*what, call, thread.begin_us, end_us); });
}

void Listener::returned(const ListenedCall& what, const CUpti_CallbackData& data, double begin_us,
                        double end_us) {
  const std::lock_guard lock(mutex_);
  switch (what.effect) {
    case Effect::observed: break;
    case Effect::capture_begins: ++captures_; return;
    case Effect::capture_ends: captures_ -= captures_ > 0 ? 1 : 0; return;
    case Effect::unloads: forget_kernels(); return;
  }
  ObservedCall call{.kind = what.kind,
                    .function = what.id,
                    .runtime = this_thread.runtime,
                    .context = number_of(data.context),
                    .thread = thread_number(),
                    .correlation = data.correlationId,
                    .refusal = what.refusal,
                    .begin_us = begin_us,
                    .end_us = end_us};
  observe(what, data, call);
}

void Listener::observe(const ListenedCall& what, const CUpti_CallbackData& data,
                       ObservedCall& call) {
  if (what.decode != nullptr) what.decode(data.functionParams, call);
  call.stream = stream_of(call.stream, what.stream);
  if (captures_ > 0 && what.stream != DefaultStream::none && is_captured(call.stream)) return;
  if (data.context != nullptr) context_ = data.context;
  const Looking next = recorder_.observe(call);
  page_.calls.fetch_add(1, std::memory_order_relaxed);
  if (looking_ == Looking::at_ends && recorder_.at_iteration_end())
    page_.watched.fetch_add(1, std::memory_order_relaxed);
  look(next);
}

/// Where the driver refuses to say, it is because a capture forbids the question.
bool Listener::is_captured(std::uint64_t stream) const {
  CUstreamCaptureStatus status = CU_STREAM_CAPTURE_STATUS_NONE;
  const auto ask = driver_functions().stream_is_capturing;
  if (ask == nullptr) return false;
  return ask(reinterpret_cast<CUstream>(stream), &status) != CUDA_SUCCESS ||
         status != CU_STREAM_CAPTURE_STATUS_NONE;
}

void Listener::look(Looking next) {
  if (next == looking_) return;
  era_.fetch_add(1, std::memory_order_relaxed);
  if (device_times_.running()) {
    subscription_.enable_runtime(false);
    device_times_.stop();
    to_be_taken_ = true;
  }
  switch (next) {
    case Looking::for_iteration: subscription_.enable_all(); break;
    case Looking::at_devices:
      subscription_.enable_all();
      subscription_.enable_runtime(true);
      device_times_.start();
      break;
    case Looking::at_ends:
      subscription_.enable_only(recorder_.ending_function());
      write_later();
      break;
  }
  looking_ = next;
  page_.looking = static_cast<std::uint32_t>(next);
}

void Listener::range_begins(const char* name) {
  if (silent_) return;
  guarded([&] {
    const std::lock_guard lock(mutex_);
    look(recorder_.range_begins(name, recorder_now_us()));
  });
}

void Listener::range_ends() {
  if (silent_) return;
  guarded([&] {
    const std::lock_guard lock(mutex_);
    look(recorder_.range_ends(recorder_now_us()));
    if (looking_ == Looking::at_ends && recorder_.at_iteration_end())
      page_.watched.fetch_add(1, std::memory_order_relaxed);
  });
}

}  // namespace trilane
