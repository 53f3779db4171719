#include "common/device/simulator/machine/call.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <chrono>
#include <condition_variable>
#include <cstdio>
#include <memory>
#include <mutex>
#include <set>
#include <thread>
#include <utility>

#include "common/device/flavour/flavour.hpp"
#include "common/device/simulator/machine/error_codes.hpp"
#include "common/device/simulator/machine/graphs.hpp"

namespace trilane::simulator {

namespace {

/// A thread that runs host functions one after the other. It is detached and shares this with its
/// users: a function may outlive the wait for it, and a forked process has lost the thread.
struct HostFunctions {
  const pid_t process = getpid();
  std::mutex mutex;
  std::condition_variable changed;
  std::function<void()> function;  ///< empty if nothing waits to be run
  bool returned = true;
  bool abandoned = false;
  std::vector<std::string> calls;  ///< runtime functions that the last one called
};

thread_local HostFunctions* current = nullptr;

void serve(const std::shared_ptr<HostFunctions>& shared) noexcept {
  current = shared.get();
  std::unique_lock lock(shared->mutex);
  while (!shared->abandoned) {
    shared->changed.wait(lock, [&] { return shared->function != nullptr; });
    const auto function = std::exchange(shared->function, nullptr);
    lock.unlock();
    function();
    lock.lock();
    shared->returned = true;
    shared->changed.notify_one();
  }
}

/// Makes the call fail, with the side effects of such an error.
cudaError_t inject(Machine& m, cudaError_t code) {
  if (is_sticky(code)) m.lose(code);
  if (code == cudaErrorStreamCaptureInvalidated) {
    for (const auto& capture : m.captures) capture->invalidated = true;
  }
  return code;
}

thread_local std::optional<std::uint32_t> member;  // number of this thread, if it is announced

/// Admits one call of each announced thread in turn.
class CallOrder {
 public:
  void begin(std::uint32_t members) {
    const std::lock_guard lock(mutex_);
    at_work_.assign(members, true);
    next_ = 0;
  }

  void wait_for(std::uint32_t thread) {
    std::unique_lock lock(mutex_);
    passed_.wait(lock, [&] { return next_ == thread; });
  }

  /// Passes the turn, if `thread` has it, to the next thread that is still active. A thread that
  /// leaves gets no more turns.
  void pass(std::uint32_t thread, bool leaves) {
    const std::lock_guard lock(mutex_);
    if (leaves) at_work_.at(thread) = false;
    if (next_ != thread) return;
    const std::size_t members = at_work_.size();
    for (std::size_t step = 1; step <= members; ++step) {
      const std::size_t other = (thread + step) % members;
      if (!at_work_[other]) continue;
      next_ = other;
      break;
    }
    passed_.notify_all();
  }

 private:
  std::mutex mutex_;
  std::condition_variable passed_;
  std::vector<bool> at_work_;
  std::size_t next_ = 0;
};

CallOrder& call_order() {
  static CallOrder order;
  return order;
}

}  // namespace

Hold::Hold(Machine& machine) {
  if (member) call_order().wait_for(*member);
  lock_ = std::unique_lock(machine.mutex);
}

Hold::~Hold() {
  lock_.unlock();
  if (member) call_order().pass(*member, false);
}

HostFunctionEnd run_host_function(std::function<void()> function, double patience_s) {
  static std::shared_ptr<HostFunctions> shared;  // the caller has locked the machine
  if (shared == nullptr || shared->abandoned || shared->process != getpid()) {
    shared = std::make_shared<HostFunctions>();
    std::thread(serve, shared).detach();
  }
  std::unique_lock lock(shared->mutex);
  shared->function = std::move(function);
  shared->returned = false;
  shared->calls.clear();
  shared->changed.notify_one();
  const std::chrono::duration<double> patience(patience_s);
  shared->abandoned = !shared->changed.wait_for(lock, patience, [] { return shared->returned; });
  return {shared->returned, shared->calls};
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

namespace trilane {

using simulator::call_order;
using simulator::member;

HostThreads::HostThreads(std::uint32_t members) { call_order().begin(members); }

HostThread::HostThread(std::uint32_t number) { member = number; }
HostThread::~HostThread() {
  call_order().pass(*member, true);
  member.reset();
}

}  // namespace trilane
