#include "common/device/simulator/machine/call.hpp"

#include <pthread.h>

#include "common/device/flavour/flavour.hpp"
#include "common/device/simulator/machine/graphs.hpp"

namespace trilane::simulator {

namespace {

/// Shared by the thread for host functions and its owner, because a function may outlive the wait.
struct HostFunctions {
  std::mutex mutex;
  std::condition_variable_any changed;
  std::function<void()> function;  ///< empty if nothing waits to be run
  bool returned = true;            ///< the last one
  std::vector<std::string> calls;  ///< runtime functions that the last one called
};

thread_local HostFunctions* current = nullptr;

class HostFunctionThread : boost::noncopyable {
 public:
  /// Leaves the thread to a function that still runs.
  ~HostFunctionThread() {
    thread_.request_stop();
    if (!is_idle()) thread_.detach();
  }

  bool is_idle() const {
    const std::lock_guard lock(shared_->mutex);
    return shared_->returned;
  }

  /// Requires that it is idle.
  HostFunctionEnd run(std::function<void()> function, double patience_s) {
    std::unique_lock lock(shared_->mutex);
    shared_->function = std::move(function);
    shared_->returned = false;
    shared_->calls.clear();
    shared_->changed.notify_all();
    const std::chrono::duration<double> patience(patience_s);
    shared_->changed.wait_for(lock, patience, [this] { return shared_->returned; });
    return {shared_->returned, shared_->calls};
  }

 private:
  static void serve(const std::stop_token& ended, HostFunctions& shared) {
    current = &shared;
    std::unique_lock lock(shared.mutex);
    while (shared.changed.wait(lock, ended, [&] { return shared.function != nullptr; })) {
      const auto function = std::exchange(shared.function, nullptr);
      lock.unlock();
      function();
      lock.lock();
      shared.returned = true;
      shared.changed.notify_all();
    }
  }

  std::shared_ptr<HostFunctions> shared_ = std::make_shared<HostFunctions>();
  std::jthread thread_{
      [shared = shared_](const std::stop_token& ended) noexcept { serve(ended, *shared); }};
};

std::mutex host_function_mutex;  // held while one runs
std::unique_ptr<HostFunctionThread> host_function_thread;

/// Ends an idle thread before a fork, so that a process forks with its own threads.
void end_idle_thread() {
  const std::unique_lock lock(host_function_mutex, std::try_to_lock);
  if (lock && host_function_thread && host_function_thread->is_idle()) host_function_thread.reset();
}

}  // namespace

/// Admits one call of each announced thread in turn.
class CallOrder {
 public:
  explicit CallOrder(std::uint32_t members) : at_work_(members, true) {}

  /// Waits for the thread's turn. Returns the number of threads that take turns.
  double wait_for(std::uint32_t thread) {
    std::unique_lock lock(mutex_);
    passed_.wait(lock, [&] { return next_ == thread; });
    return static_cast<double>(std::ranges::count(at_work_, true));
  }

  /// Passes the turn, if `thread` has it, to the next active thread. One that leaves gets no more.
  void pass(std::uint32_t thread, bool leaves) {
    const std::lock_guard lock(mutex_);
    if (leaves) at_work_.at(thread) = false;
    if (next_ != thread) return;
    do {
      next_ = (next_ + 1) % at_work_.size();
    } while (!at_work_[next_] && next_ != thread);
    passed_.notify_all();
  }

 private:
  std::mutex mutex_;
  std::condition_variable passed_;
  std::vector<bool> at_work_;
  std::size_t next_ = 0;
};

/// The place of an announced thread.
struct Seat {
  CallOrder& order;
  std::uint32_t number;
  const Seat* outer;   ///< of the thread whose turns it shares; null: none
  std::uint32_t part;  ///< see part_of_host()
};

namespace {

thread_local std::optional<Seat> seat;

const Seat* seat_here() { return seat ? &*seat : nullptr; }

/// Passes the outer turn first: otherwise the next thread could use it, too.
void pass_turns(const Seat* at) {
  if (!at) return;
  pass_turns(at->outer);
  at->order.pass(at->number, false);
}

}  // namespace

Hold::Hold(Machine& machine) {
  double threads = 1;
  for (const Seat* at = seat_here(); at; at = at->outer) threads *= at->order.wait_for(at->number);
  lock_ = std::unique_lock(machine.mutex);
  machine.timeline.let_threads_call(threads);
}

Hold::~Hold() {
  lock_.unlock();
  pass_turns(seat_here());
}

std::uint32_t part_of_host() { return seat ? seat->part : 0; }

HostFunctionEnd run_host_function(std::function<void()> function, double patience_s) {
  static const int registered = pthread_atfork(end_idle_thread, nullptr, nullptr);
  if (registered != 0) throw std::system_error(registered, std::generic_category());
  const std::lock_guard lock(host_function_mutex);
  if (!host_function_thread || !host_function_thread->is_idle()) {
    host_function_thread = std::make_unique<HostFunctionThread>();
  }
  return host_function_thread->run(std::move(function), patience_s);
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
  m.hazards.found_for(part_of_host());
  begin_call(m, name);
  if (m.sticky != cudaSuccess) {
    return in_capture == InCapture::without_device ? cudaSuccess : m.sticky;
  }
  const auto& fault = m.settings.fault;
  if (fault && fault->call == m.calls.size()) {
    const ErrorCode* const known = find_error(fault->code);
    if (known != nullptr && known->sticky) m.lose(fault->code);
    if (fault->code == cudaErrorStreamCaptureInvalidated) {
      for (const auto& capture : m.captures) capture->invalidated = true;
    }
    return fault->code;
  }
  if (in_capture == InCapture::unsafe && unsafe_call_forbidden(m)) {
    return cudaErrorStreamCaptureUnsupported;
  }
  return cudaSuccess;
}

cudaError_t leave(Machine& m, cudaError_t code) {
  end_call(m);
  // CUDA C++ Programming Guide, "Error Checking": cudaErrorNotReady is no error.
  if (code != cudaSuccess && code != cudaErrorNotReady) m.last[this_thread()] = code;
  return code;
}

CUstream_st& stream_of(Machine& m, cudaStream_t handle) {
  if (handle == nullptr || handle == cudaStreamLegacy) return m.gpu().legacy;
  if (handle == cudaStreamPerThread) return m.default_of_thread();
  return object_of(m.streams, handle, cudaErrorInvalidResourceHandle);
}

CUevent_st& event_of(Machine& m, cudaEvent_t handle) {
  return object_of(m.events, handle, cudaErrorInvalidResourceHandle);
}

}  // namespace trilane::simulator

namespace trilane {

using simulator::seat;

struct HostThreads::Order {
  std::uint32_t members;
  bool each_measures;
  simulator::CallOrder calls{members};
  const simulator::Seat* outer = simulator::seat_here();
  std::uint32_t part = simulator::part_of_host();
};

HostThreads::HostThreads(std::uint32_t members, bool each_measures)
    : order_(std::make_unique<Order>(members, each_measures)) {}
HostThreads::~HostThreads() = default;

HostThread::HostThread(HostThreads& threads, std::uint32_t number) {
  HostThreads::Order& order = *threads.order_;
  seat.emplace(order.calls, number, order.outer, order.each_measures ? number + 1 : order.part);
}
HostThread::~HostThread() {
  seat->order.wait_for(seat->number);  // so that the others' calls take the same time in every run
  seat->order.pass(seat->number, true);
  seat.reset();
}

}  // namespace trilane
