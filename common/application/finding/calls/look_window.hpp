// Decides how many calls to keep during a search for an iteration.
#pragma once

#include <cstdint>

#include "common/application/finding/calls/call_store.hpp"

namespace trilane {

/// Has the store keep the repetitions of a period in time. It keeps few calls at first, because a
/// call that needs new memory costs three times as much, and more once a longer period repeats.
class LookWindow {
 public:
  static constexpr std::uint64_t most_calls = 600'000;

  /// `any_length`: keeps the full number from the start, because the iteration may be of any
  /// length.
  LookWindow(CallStore& store, std::uint64_t repetitions, bool any_length);

  /// Begins another search.
  void open() { store_.keep(calls_); }
  /// Returns true if a period may end with the latest call, as far as is known.
  bool is_due() const { return store_.size() >= due_from_; }
  /// Returns true if the store has the repetitions of a period of `calls` calls that ends with the
  /// latest call, or never will have them. Otherwise the period has to repeat the same number of
  /// times again.
  bool has(std::uint64_t calls);
  /// Returns the length of the period that has to repeat again; 0 if there is none.
  std::uint64_t waits_for() const { return waits_for_; }

 private:
  CallStore& store_;
  std::uint64_t repetitions_;
  std::uint64_t calls_;      ///< number of calls kept
  std::uint64_t since_ = 0;  ///< the call since which this number is kept
  std::uint64_t due_from_ = 0;
  std::uint64_t waits_for_ = 0;
};

}  // namespace trilane
