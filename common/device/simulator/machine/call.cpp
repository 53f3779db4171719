#include "common/device/simulator/machine/call.hpp"

#include <fmt/format.h>

#include <chrono>
#include <cstdio>
#include <future>
#include <set>
#include <thread>
#include <utility>

#include "common/device/simulator/machine/capture.hpp"
#include "common/device/simulator/machine/error_codes.hpp"

namespace trilane::simulator {

namespace {

/// Shared by the thread and its waiter, because the thread may outlive the wait.
struct Run {
  std::mutex mutex;
  std::vector<std::string> calls;
};

thread_local Run* current = nullptr;

/// Makes the call fail, with the side effects of such an error.
cudaError_t inject(Machine& m, cudaError_t code) {
  if (is_sticky(code)) m.lose(code);
  if (code == cudaErrorStreamCaptureInvalidated) {
    for (const auto& capture : m.captures) capture->invalidated = true;
  }
  return code;
}

}  // namespace

HostFunctionEnd run_host_function(std::function<void()> function, double patience_s) {
  const auto shared = std::make_shared<Run>();
  std::packaged_task<void()> task([shared, function = std::move(function)]() noexcept {
    current = shared.get();
    function();
  });
  const std::future<void> end = task.get_future();
  std::thread thread(std::move(task));
  const auto status = end.wait_for(std::chrono::duration<double>(patience_s));
  const bool returned = status == std::future_status::ready;
  returned ? thread.join() : thread.detach();
  const std::lock_guard lock(shared->mutex);
  return {returned, shared->calls};
}

bool in_host_function() { return current != nullptr; }

cudaError_t refuse_in_host_function(const char* name) {
  const std::lock_guard lock(current->mutex);
  current->calls.emplace_back(name);
  return cudaErrorNotPermitted;
}

void refuse_not_modelled(const char* what) {
  static std::set<std::string> printed;
  if (printed.insert(what).second) {
    fmt::print(stderr, "trilane: simulated device: {} is not modelled\n", what);
  }
  refuse(cudaErrorNotSupported);
}

int not_modelled(const char* name) {
  return call([&](Machine&) { refuse_not_modelled(name); }, name);
}

void begin_call(Machine& m, const char* name) {
  if (m.trace != nullptr) m.trace->begin_call(name, m.timeline.now());
  m.spend_for(name);
}

void end_call(const Machine& m) {
  if (m.trace != nullptr) m.trace->end_call(m.timeline.now());
}

cudaError_t enter(Machine& m, const char* name, InCapture in_capture) {
  m.calls.push_back(name);
  begin_call(m, name);
  if (m.sticky != cudaSuccess) {
    return in_capture == InCapture::without_device ? cudaSuccess : m.sticky;
  }
  const auto& fault = m.settings.fault;
  if (fault && fault->call == m.calls.size()) return inject(m, fault->code);
  if (in_capture == InCapture::unsafe && unsafe_call_forbidden(m)) {
    return cudaErrorStreamCaptureUnsupported;
  }
  return cudaSuccess;
}

cudaError_t leave(Machine& m, cudaError_t code) {
  end_call(m);
  // CUDA C++ Programming Guide, "Error Checking": cudaErrorNotReady is not an error and is not
  // kept.
  if (code != cudaSuccess && code != cudaErrorNotReady) m.last[this_thread()] = code;
  return code;
}

CUstream_st& stream_of(Machine& m, cudaStream_t handle) {
  if (handle == nullptr || handle == cudaStreamLegacy) return m.legacy;
  if (handle == cudaStreamPerThread) return m.default_of_thread();
  return object_of(m.streams, handle, cudaErrorInvalidResourceHandle);
}

CUevent_st& event_of(Machine& m, cudaEvent_t handle) {
  return object_of(m.events, handle, cudaErrorInvalidResourceHandle);
}

}  // namespace trilane::simulator
