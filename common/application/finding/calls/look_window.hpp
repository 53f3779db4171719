// How many calls are kept while an iteration is looked for.
#pragma once

#include <cstdint>

#include "common/application/finding/calls/call_store.hpp"

namespace trilane {

/// Has the store keep the repetitions of a period by the time they are needed: few calls at first,
/// for one that takes new memory costs three times as much, and more once a longer period repeats.
class LookWindow {
 public:
  static constexpr std::uint64_t most_calls = 600'000;

  /// `any_length`: keeps so many from the start, because the iteration may be of any length.
  LookWindow(CallStore& store, std::uint64_t repetitions, bool any_length);

  /// Begins another look.
  void open() { store_.keep(calls_); }
  /// Whether a period may end with the latest call, as far as is known.
  bool is_due() const { return store_.size() >= due_from_; }
  /// Whether the repetitions of a period of so many calls, which ends with the latest call, are in
  /// the store, or never will be. If not, the period has to repeat as often once more.
  bool has(std::uint64_t calls);
  /// The length of a period that has to repeat as often once more; 0: there is none.
  std::uint64_t waits_for() const { return waits_for_; }

 private:
  CallStore& store_;
  std::uint64_t repetitions_;
  std::uint64_t calls_;      ///< that are kept
  std::uint64_t since_ = 0;  ///< call from which on there are so many
  std::uint64_t due_from_ = 0;
  std::uint64_t waits_for_ = 0;
};

}  // namespace trilane
