// Takes the call stacks of the application's calls.
#pragma once

#include <atomic>
#include <deque>

#include "common/application/iteration/observed_call.hpp"
#include "common/application/recorder/listening/python_frames.hpp"

namespace trilane {

/// A stack as it was taken.
struct TakenStack {
  std::vector<RecordedFrame> python;      ///< outermost first
  std::vector<std::uintptr_t> addresses;  ///< within calls, innermost first
};

/// Takes stacks, and keeps each frame and each stack once. take() works without a lock, because
/// unwinding and the interpreter may wait for other threads. keep() needs one.
class StackTaker {
 public:
  /// Returns the calling thread's stack; empty once stacks have taken `longest_us` in all, or if
  /// `most_stacks` are kept.
  TakenStack take();
  /// Returns the stack, permanently: Python's frames, then machine code that they call. Frames of
  /// this library, the driver, the shared runtime and CUPTI are left out. Null for an empty stack.
  const ObservedStack* keep(const TakenStack& taken);

 private:
  static constexpr double longest_us = 2e6;
  static constexpr std::size_t most_stacks = 100'000, most_addresses = 200;

  const RecordedFrame* frame_at(std::uintptr_t address);

  const PythonFrames python_;
  std::atomic<double> taken_us_ = 0;
  std::atomic<bool> full_ = false;
  std::set<RecordedFrame> frames_;
  std::map<std::uintptr_t, const RecordedFrame*> by_address_;  ///< null: left out
  std::set<ObservedStack> stacks_;
};

}  // namespace trilane
