// Computes times from the stamps that a listener takes at functions of the driver and the runtime:
// what a thread does between its calls, and the cost of listening.
#pragma once

#include "common/application/iteration/observed_call.hpp"
#include "common/explain/statistics/statistics.hpp"

namespace trilane {

/// Splits a thread's time between its calls. All inline, so that it costs a few instructions. An
/// era is a time in which the same functions call back: a function entered in an earlier one may
/// have returned unheard. Stamps are microseconds.
class ThreadTime {
 public:
  /// Takes the entry into a driver function. Returns true if it is the outermost one.
  bool enters(std::uint32_t era) {
    follow(era);
    return depth_++ == 0;
  }
  /// Must be called after the outermost function's entry, when its own time begins.
  void begins(double now_us) {
    begin_us_ = now_us;
    inside_ = 0;
    if (runtime_ == 0) leaves_own_code(now_us);
  }
  /// Takes the return from a driver function. Returns true if it was the outermost one.
  bool returns(std::uint32_t era) {
    follow(era);
    if (depth_ == 0) return false;
    if (--depth_ == 0) return true;
    ++inside_;
    return false;
  }
  /// Must be called after the outermost function's return at `end_us`. `kept`: it was handed over.
  void listened(bool kept, double end_us, double now_us) {
    if (kept) {
      // One by one: reading a new object back whole would wait for its stores.
      before_.listener_us = 0;
      before_.others = before_.outside = 0;
      before_.outside_us.emplace(0);
    } else {
      before_.others += 1 + inside_;
    }
    before_.listener_us += now_us - end_us;
    left_us_ = now_us;
  }

  /// Takes the entry into a runtime function; `id` is not 0.
  void runtime_enters(std::uint32_t era, std::uint32_t id, double now_us) {
    follow(era);
    knows_runtime_ = true;
    if (runtime_depth_++ > 0) return;
    if (depth_ == 0) leaves_own_code(now_us);
    runtime_ = id;
  }
  /// Takes the return from a runtime function. After an unheard entry the time was not own code.
  void runtime_returns(std::uint32_t era, double now_us) {
    follow(era);
    knows_runtime_ = true;
    if (runtime_depth_ > 0 && --runtime_depth_ > 0) return;
    runtime_ = 0;
    left_us_ = now_us;
  }

  /// Returns true if the thread is in a driver function that it entered in this era.
  bool is_inside(std::uint32_t era) const { return era == era_ && depth_ > 0; }
  double begin_us() const { return begin_us_; }
  /// Returns the outermost runtime function that the thread is in; 0: none is known.
  std::uint32_t runtime() const { return runtime_; }
  /// Does the same; nothing until a runtime function called back in this era, or within several.
  std::optional<std::uint32_t> runtime_now() const {
    return knows_runtime_ && runtime_depth_ <= 1 ? std::optional(runtime_) : std::nullopt;
  }
  const TimeBefore& before() const { return before_; }
  /// Returns the number of calls within the outermost one that called back.
  std::uint32_t inside() const { return inside_; }

 private:
  void follow(std::uint32_t era) {
    if (era == era_) return;
    era_ = era;
    depth_ = runtime_depth_ = runtime_ = 0;
    knows_runtime_ = false;
  }
  void leaves_own_code(double now_us) {
    if (!before_.outside_us) return;
    *before_.outside_us += now_us - left_us_;
    left_us_ = now_us;
    ++before_.outside;
  }

  std::uint32_t era_ = 0, depth_ = 0, runtime_depth_ = 0, runtime_ = 0, inside_ = 0;
  bool knows_runtime_ = false;
  double begin_us_ = 0, left_us_ = 0;  ///< left: when the application's code went on
  TimeBefore before_;
};

/// Time stamps of back-to-back calls, taken as a listener takes them.
class ListeningSamples {
 public:
  /// Allocates space for at most this many calls.
  explicit ListeningSamples(std::size_t calls) { stamps_.reserve(calls); }

  void begins(double now_us) {
    if (stamps_.size() < stamps_.capacity()) stamps_.push_back({now_us, 0, 0});
  }
  /// `left_us`: when the listener returns control to the thread.
  void ends(double end_us, double left_us) {
    if (stamps_.empty()) return;
    stamps_.back().end_us = end_us;
    stamps_.back().left_us = left_us;
  }

  /// Returns medians, because some calls are interrupted, without the first calls, which are
  /// slower. `untraced_us` is the duration of the call by itself. Absent after too few.
  std::optional<ListeningCosts> costs(double untraced_us) const {
    if (stamps_.size() < fewest_calls) return std::nullopt;
    std::vector<double> between_us, within_us;
    for (std::size_t i = stamps_.size() / 4; i < stamps_.size(); ++i) {
      between_us.push_back(stamps_[i].begin_us - stamps_[i - 1].left_us);
      within_us.push_back(stamps_[i].end_us - stamps_[i].begin_us);
    }
    return ListeningCosts{.between_us = std::max(0.0, median(between_us)),
                          .within_us = std::max(0.0, median(within_us) - untraced_us)};
  }

 private:
  static constexpr std::size_t fewest_calls = 40;
  struct Stamps {
    double begin_us, end_us, left_us;
  };
  std::vector<Stamps> stamps_;
};

}  // namespace trilane
