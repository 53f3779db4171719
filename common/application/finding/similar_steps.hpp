// Finds steps that repeat in kind and not in size, such as those that generate one token each.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "common/application/finding/call_store.hpp"
#include "common/application/finding/iteration_finder.hpp"
#include "common/application/finding/period_finder.hpp"
#include "common/application/iteration/observed_call.hpp"

namespace trilane {

/// Returns true if both are calls of one function, in one stream. Sizes may differ, and kernels: a
/// library has several for one purpose.
bool same_in_kind(const ObservedCall& one, const ObservedCall& other);

/// Takes calls one by one and finds steps of one or more segments that end with a host wait.
class SimilarSteps {
 public:
  /// Calls of a search before it accepts such steps. An exact iteration of up to a fifth of this
  /// number has been found by then, even if smaller steps repeat in it.
  static constexpr std::uint64_t calls_before = 10'000;
  /// Steps after the first find before one is accepted: an exact loop may have begun with it.
  static constexpr std::uint64_t steps_more = 15;

  explicit SimilarSteps(std::uint64_t repetitions);

  /// Takes the call with that number, one above the previous one's. Returns the shortest steps that
  /// end with it, if they have repeated often enough.
  std::optional<FoundPeriod> add(const ObservedCall& call, std::uint64_t number);

 private:
  static constexpr std::uint64_t most_segments = std::uint64_t{1} << 16;

  std::uint64_t repetitions_;
  PeriodFinder segments_;
  std::vector<std::uint64_t> starts_;   ///< first call of each segment, by its number
  std::uint64_t segment_ = 0;           ///< number of the segment under way
  std::uint64_t hash_ = 0;              ///< of its calls
  std::optional<std::uint64_t> first_;  ///< number of its first call; absent: it began unseen
};

/// Returns true if the steps of the period launch kernels or graphs, and at least half of the
/// kernels are those of the last step. All calls must be in the store.
bool launch_in_common(const CallStore& store, const FoundPeriod& period);

}  // namespace trilane
