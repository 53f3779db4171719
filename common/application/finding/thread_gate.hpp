// Holds back threads of an application while another one's loop is timed, captured and replayed.
#pragma once

#include "common/std.hpp"

namespace trilane {

/// Threads wait in pass() while it is closed. Safe to use from any thread, and in a child after
/// fork(). Takes no lock; its waits are no cancellation points.
class ThreadGate {
 public:
  bool is_closed() const { return closed_.load(std::memory_order_relaxed) != 0; }

  /// Closes for all threads except one; 0: for all. From `until_us` on, a waiting thread opens it.
  void close(std::uint64_t except, double until_us);
  /// Sets another such limit.
  void extend(double until_us) { until_us_ = until_us; }
  void open();

  /// Must be called where a thread may be held back: at the beginning of a call.
  void pass(std::uint64_t thread);

  /// Returns the number of threads that wait now.
  std::uint32_t waiting() const { return waiting_; }
  /// Returns true if it was closed for a while, and no thread has arrived lately.
  bool is_quiet(double now_us) const {
    return now_us > closed_us_ + shortest_us && now_us > arrived_us_ + shortest_us / 2;
  }
  /// Waits until it is quiet, for a second at most, or open.
  void await_quiet() const;
  /// Returns true if a waiting thread has opened it because the limit had passed.
  bool was_forced() const { return forced_; }

 private:
  static constexpr double shortest_us = 20e3;

  void sleep() const;

  std::atomic<std::uint32_t> closed_{0};  ///< what threads sleep on
  std::atomic<std::uint32_t> waiting_{0};
  std::atomic<std::uint64_t> except_{0};
  std::atomic<double> until_us_{0}, closed_us_{0}, arrived_us_{0};
  std::atomic<bool> forced_{false};
};

}  // namespace trilane
