// Finds steps that repeat in kind and not in size, such as those that generate one token each.
#pragma once

#include "common/application/finding/iteration_finder.hpp"

namespace trilane {

/// Takes calls one by one and finds steps of one or more segments that end with a host wait.
class SimilarSteps {
 public:
  /// Calls of a search before it accepts such steps. An exact iteration of up to a fifth of this
  /// number has been found by then, even if smaller steps repeat in it.
  static constexpr std::uint64_t calls_before = 10'000;
  /// Steps that grow are accepted earlier: when this many calls repeat in kind, and none of their
  /// steps has returned exactly. An exact iteration would have more calls.
  static constexpr std::uint64_t growing_calls = 2'500;
  /// Steps after the first find before one is accepted: an exact loop may have begun with it.
  static constexpr std::uint64_t steps_more = 15;

  explicit SimilarSteps(std::uint64_t repetitions)
      : repetitions_(repetitions), segments_(repetitions, most_segments), ended_(most_segments) {}

  /// Takes the call with that number, one above the previous one's, and its exact fingerprint.
  /// Returns the shortest steps that end with it, if they have repeated often enough.
  std::optional<FoundPeriod> add(const ObservedCall& call, std::uint64_t number,
                                 std::uint64_t fingerprint);

  /// Steps of one length, and perhaps others between them.
  struct Run {
    std::uint64_t begin = 0, end = 0;
    std::uint64_t growing_from = 0;  ///< since this call no step has returned exactly
  };
  /// Returns those that add() has returned last.
  const Run& run() const { return runs_.at(calls_); }

 private:
  static constexpr std::uint64_t most_segments = std::uint64_t{1} << 16;

  /// A run has ended after this many steps with other calls.
  static constexpr std::uint64_t most_others = 32, most_lengths = 256;
  /// Limit of a step's segments, because each segment that ends a step costs a look at all of them.
  static constexpr std::uint64_t most_step_segments = 64;

  struct Segment {
    std::uint64_t first = 0;  ///< number of its first call
    std::uint64_t exact = 0;  ///< hash of its calls' fingerprints
  };
  void note_step(std::uint64_t period, const FoundPeriod& found);

  std::uint64_t repetitions_;
  PeriodFinder segments_;
  std::vector<Segment> ended_;          ///< by number
  std::uint64_t segment_ = 0;           ///< number of the segment under way
  std::uint64_t hash_ = 0, exact_ = 0;  ///< of its calls
  std::optional<std::uint64_t> first_;  ///< number of its first call; absent: it began unseen
  std::uint64_t calls_ = 0;             ///< of the latest step
  std::map<std::uint64_t, Run> runs_;   ///< by calls of a step
  /// The segment that ended each step, by the step's exact hash.
  std::unordered_map<std::uint64_t, std::uint64_t> known_;
};

/// Returns true if the steps of the period launch kernels or graphs, and at least half of the
/// kernels are those of the last step. All calls must be in the store.
bool launch_in_common(const CallStore& store, const FoundPeriod& period);

}  // namespace trilane
