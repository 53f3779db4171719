// Counts and times iterations while only the calls that may end one are watched.
#pragma once

#include <algorithm>
#include <array>
#include <atomic>
#include <cmath>
#include <cstdint>
#include <limits>
#include <vector>

namespace trilane {

/// Safe to use from any thread; takes no lock and allocates nothing after begin().
class EndCounter {
 public:
  /// An iteration ends with each `every`-th call; 0: with each range.
  void begin(std::uint64_t every) {
    every_ = every;
    calls_ = 0;
    last_us_ = std::numeric_limits<double>::quiet_NaN();
  }

  /// Must be called when a call that may end an iteration has ended. Returns true if it ended one.
  bool call_ended(double now_us) {
    if (every_ == 0 || (calls_.fetch_add(1, std::memory_order_relaxed) + 1) % every_ != 0) {
      return false;
    }
    iteration_took(now_us - last_us_.exchange(now_us, std::memory_order_relaxed));
    return true;
  }

  /// Must be called when an iteration has ended. The first after begin() has no time: not a number.
  void iteration_took(double us) {
    iterations_.fetch_add(1, std::memory_order_relaxed);
    if (const std::uint64_t left = skipped_.load(std::memory_order_relaxed)) {
      skipped_ = left - 1;
      return;
    }
    if (std::isnan(us)) return;
    const std::uint64_t place = timed_.fetch_add(1, std::memory_order_relaxed);
    times_us_[place % times_us_.size()].store(us, std::memory_order_relaxed);
  }

  /// Excludes the times of the next `iterations` iterations.
  void skip_times(std::uint64_t iterations) { skipped_ = std::max(skipped_.load(), iterations); }

  std::uint64_t iterations() const { return iterations_; }

  /// Returns the latest times, at most 1,000, oldest first.
  std::vector<double> latest_us() const {
    const std::uint64_t end = timed_, most = times_us_.size();
    std::vector<double> times;
    for (std::uint64_t i = end < most ? 0 : end - most; i < end; ++i) {
      times.push_back(times_us_[i % most]);
    }
    return times;
  }

 private:
  std::atomic<std::uint64_t> every_ = 0, calls_ = 0, iterations_ = 0, timed_ = 0;
  std::atomic<double> last_us_ = 0;
  std::atomic<std::uint64_t> skipped_ = 0;
  std::array<std::atomic<double>, 1000> times_us_{};
};

}  // namespace trilane
