// Finds the iteration in a sequence of calls, given only their fingerprints.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "common/application/finding/period_finder.hpp"

namespace trilane {

/// Calls that repeat exactly, up to the latest call.
struct FoundPeriod {
  std::uint64_t calls = 0;    ///< in one repetition
  std::uint64_t first = 0;    ///< number of the first repetition's first call, from 0
  std::uint64_t repeats = 0;  ///< whole repetitions
  bool waits = false;         ///< its last call is a host wait; otherwise it contains none
};

/// The nearest candidate for an iteration, by numbers of calls.
struct NearestPeriod {
  std::uint64_t calls = 0, repeats = 0;
  std::uint64_t at = 0;                 ///< the call of the repetition, from 0, that differed
  std::uint64_t expected = 0, got = 0;  ///< numbers of calls
  bool lasts = false;  ///< nothing differed: the calls ended before the last repetition needed
};

/// Compares whole segments between host waits first. So repetitions begin right after a wait, and a
/// loop of equal launches between two waits is not an iteration. Compares single calls only after
/// `calls_without_wait` calls without a wait.
class IterationFinder {
 public:
  static constexpr std::uint64_t calls_without_wait = 10'000;
  /// Number of calls kept: `repetitions` times the longest iteration.
  static constexpr std::uint64_t most_calls = std::uint64_t{1} << 20;

  explicit IterationFinder(std::uint64_t repetitions);

  /// Takes a call. Returns the shortest iteration that ends with it, if one is `wanted`.
  std::optional<FoundPeriod> add(std::uint64_t fingerprint, bool waits, bool wanted = true);

  /// Must be called if the iteration found last did not go on: from now on it, and shorter ones,
  /// must repeat more often.
  void left();

  /// Returns the fingerprint of one of the latest `most_calls` calls.
  std::uint64_t at(std::uint64_t call) const { return calls_.at(call); }
  std::uint64_t size() const { return calls_.size(); }

  /// Returns the nearest candidate if there is no iteration.
  std::optional<NearestPeriod> nearest() const;

 private:
  std::uint64_t add_segment();
  std::uint64_t add_single(std::uint64_t fingerprint);
  std::optional<FoundPeriod> exactly(std::uint64_t calls, bool waits) const;
  std::uint64_t start_of(std::uint64_t segment) const;
  std::optional<NearestPeriod> of_segments() const;
  std::optional<NearestPeriod> of_single(const PeriodFinder& finder, std::uint64_t first) const;
  std::optional<NearestPeriod> of_calls_since_wait() const;

  std::uint64_t repetitions_;
  SymbolHistory calls_;
  PeriodFinder segments_;
  std::vector<std::uint64_t> starts_;     ///< first call of each segment, by its number
  std::uint64_t segment_ = 0;             ///< number of the segment under way
  std::uint64_t hash_ = 0;                ///< of its calls
  std::uint64_t first_ = 0;               ///< number of its first call
  std::unique_ptr<PeriodFinder> single_;  ///< of its calls, if there are many
  std::uint64_t single_first_ = 0;        ///< the first call in it
  std::uint64_t found_ = 0;               ///< the latest find, in segments or calls
};

}  // namespace trilane
