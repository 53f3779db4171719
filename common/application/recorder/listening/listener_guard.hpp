// Keeps the listener's errors and its waits away from the application.
#pragma once

#include <unistd.h>

#include "common/application/finding/thread_time.hpp"
#include "common/application/iteration/recorder_status.hpp"
#include "common/base/system/process.hpp"

namespace trilane {

/// Returns the page in the file that the environment names; nullptr without one.
RecorderStatus* shared_page();

/// Notes why the library does not listen, unless an earlier problem is noted.
void note_problem(RecorderStatus& page, RecorderProblem problem, const std::string& words);

/// Replaces the file by way of a temporary name beside it. Notes in the page if it cannot, or if
/// `text` throws.
void replace_file(RecorderStatus& page, const std::string& path,
                  const std::function<std::string()>& text);

/// The known activity of an application thread. Plain, so that reading it takes a few instructions.
struct ThreadState {
  bool own = false;         ///< in the recorder itself, whose calls are not the application's
  bool ended_work = false;  ///< its latest call is one of ends_work()
  std::uint64_t number = 0;
  ListeningSamples* samples = nullptr;  ///< set while the recorder's own calls are a measurement
  ThreadTime time;
};
inline constinit thread_local ThreadState this_thread{};

/// The threads that use CUDA.
class CallingThreads {
 public:
  /// Returns the number of the calling thread.
  static std::uint64_t number(ThreadState& thread = this_thread) {
    if (thread.number == 0) thread.number = static_cast<std::uint64_t>(gettid());
    return thread.number;
  }
  /// Notes the calling thread.
  void note(ThreadState& thread = this_thread) {
    const std::uint64_t own = number(thread);
    std::uint64_t first = first_.load(std::memory_order_relaxed);
    if (first == own) return;
    if (first == 0 && first_.compare_exchange_strong(first, own)) return;
    several_ = several_ || first != own;
  }
  bool several() const { return several_; }

 private:
  std::atomic<std::uint64_t> first_{0};  ///< the first that made a call
  std::atomic<bool> several_{false};
};

/// While an instance exists, the thread's calls are the recorder's own.
class OwnCalls : boost::noncopyable {
 public:
  explicit OwnCalls(ThreadState& thread = this_thread) : thread_(thread), before_(thread.own) {
    thread.own = true;
  }
  ~OwnCalls() { thread_.own = before_; }

 private:
  ThreadState& thread_;
  const bool before_;
};

/// Returns a thread that takes no signals of the application.
template <typename Action>
std::thread without_signals(Action action) {
  const SignalsBlocked blocked;
  return std::thread(std::move(action));
}

/// Says whether the listener works, and guards its state.
class ListenerGuard {
 public:
  using Lock = std::unique_lock<std::timed_mutex>;

  explicit ListenerGuard(RecorderStatus& page) : page_(page) {}

  bool silent() const { return silent_.load(std::memory_order_relaxed); }
  /// Returns true if the listener is silent because everything is known.
  bool left() const { return left_; }
  void set_silent(bool silent) { silent_ = silent; }
  /// Is silent because everything is known, or listens again.
  void set_left(bool left) { silent_ = left_ = left; }

  /// Runs the action, whose calls are the recorder's own. Notes an exception and falls silent.
  template <typename Action>
  void run(Action action, ThreadState& thread = this_thread) {
    const OwnCalls own(thread);
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
  /// Does the same under the lock, unless the listener is silent, as in a replay.
  template <typename Action>
  void run_locked(Action action, ThreadState& thread = this_thread) {
    const auto locked = [&] {
      const Lock lock = lock_until([this] { return silent_.load(); });
      if (lock && !silent_) action();
    };
    run(locked, thread);
  }

  /// Locks; gives up when `is_over` returns true.
  template <typename IsOver>
  Lock lock_until(IsOver is_over) {
    Lock lock(mutex_, std::defer_lock);
    // Mostly it is free; only a wait reads the clock first.
    while (!lock.try_lock() && !lock.try_lock_for(std::chrono::milliseconds(1))) {
      if (is_over()) break;
    }
    return lock;
  }
  /// Locks unless the lock is held for long, by a replay or a thread that ended within a callback.
  Lock lock_soon() { return Lock(mutex_, std::chrono::seconds(2)); }

 private:
  RecorderStatus& page_;
  std::atomic<bool> silent_{true};
  std::atomic<bool> left_{false};
  std::timed_mutex mutex_;
};

}  // namespace trilane
