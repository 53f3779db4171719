// Finds the iteration in a sequence of calls, given only their fingerprints.
#pragma once

#include "common/application/finding/digest.hpp"
#include "common/application/finding/period_finder.hpp"
#include "common/application/iteration/call_kinds.hpp"

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

  explicit IterationFinder(std::uint64_t repetitions)
      : repetitions_(repetitions), calls_(most_calls), segments_(repetitions, most_calls) {}

  /// Takes a call. Returns the shortest iteration that ends with it, if one is `wanted`.
  std::optional<FoundPeriod> add(std::uint64_t fingerprint, bool waits, bool wanted = true);

  /// Must be called if the iteration found last did not go on: from now on it, and shorter ones,
  /// must repeat more often.
  void left() { (single_ ? *single_ : segments_).left(found_); }

  /// Returns the fingerprint of one of the latest `most_calls` calls.
  std::uint64_t at(std::uint64_t call) const { return calls_.at(call); }
  std::uint64_t size() const { return calls_.size(); }

  /// Returns the nearest candidate if there is no iteration.
  std::optional<NearestPeriod> nearest() const;

 private:
  std::uint64_t add_segment();
  std::uint64_t add_single(std::uint64_t fingerprint);
  std::optional<FoundPeriod> exactly(std::uint64_t calls, bool waits) const;
  std::uint64_t start_of(std::uint64_t segment) const {
    return segment == segment_ ? first_ : starts_[segment & (starts_.size() - 1)];
  }
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

/// A close look at a call costs more than CUPTI. So if the first calls do not repeat, calls are
/// only glanced at until the same functions and kernels have come three times in a row, and not by
/// chance.
class Attention {
 public:
  /// Takes each call. Returns true if the next one should be looked at closely.
  bool is_close_after(std::uint32_t function, std::uint64_t kernel, bool waits) {
    const std::uint64_t call = mixed(mixed(0, function), kernel);
    ++calls_;
    const auto found = finder_.add(call, waits, calls_ >= ask_from_);
    if (found && found->repeats * found->calls >= fewest_calls) {
      // As long as it has repeated: comparing it again then takes two steps a call.
      const std::uint64_t more = std::max(repetitions_more, found->repeats) * found->calls;
      close_until_ = std::max(close_until_, calls_ + more);
      ask_from_ = calls_ + more / 2;
    }
    return calls_ < close_until_;
  }

 private:
  static constexpr std::uint64_t repetitions = 3, repetitions_more = 8;
  static constexpr std::uint64_t first_calls = 32'768, fewest_calls = 64;

  IterationFinder finder_{repetitions};
  std::uint64_t calls_ = 0, close_until_ = first_calls, ask_from_ = 0;
};

/// The rotation of an iteration's events, as in programs that alternate between buffers.
struct EventRotation {
  /// Numbers of the iteration's calls, from 0, that wait for an event recorded in an earlier
  /// iteration.
  std::vector<std::uint64_t> lagging;
  /// Iterations after which each call names the same event again. 1: in each iteration; 0: not
  /// within half of the repetitions.
  std::uint64_t period = 1;
};

/// Returns how an iteration's events rotate. Without a lagging call the period is 1, since a call
/// then waits for the same record whatever the event's name.
EventRotation rotation_of(const CallStore& store, const Repetitions& repetitions);

/// Returns the same repetitions, with `period` of them joined to one. The earliest may be left out.
Repetitions joined(const Repetitions& repetitions, std::uint64_t period);

/// Cuts the iteration that a period repeats.
/// - One that waits is cut after its last wait and the frees that follow it, so that it frees its
///   own allocations.
/// - One without a wait may be cut anywhere. It is cut after a call of its least frequent function,
///   because each call of that function will cost the program time from then on.
class PeriodAlignment {
 public:
  bool under_way() const { return period_.has_value(); }

  /// Cuts `period`, which ends with the latest call. If nothing is returned, next() will return it.
  std::optional<FoundPeriod> begin(const FoundPeriod& period, const CallStore& calls) {
    const std::uint64_t first = calls.size() - period.calls;
    left_ = period.waits ? frees_at(first, period.calls, calls)
                         : behind_rarest(first, period.calls, calls);
    period_ = period;
    period_->first += left_;
    return left_ == 0 ? std::exchange(period_, std::nullopt) : std::nullopt;
  }

  /// Must be called after each call. `repeats`: it equals the call one period before.
  std::optional<FoundPeriod> next(bool repeats) {
    if (!repeats) period_ = std::nullopt;
    if (!period_ || --left_ > 0) return std::nullopt;
    return std::exchange(period_, std::nullopt);
  }

  std::uint64_t calls() const { return period_->calls; }

 private:
  static std::uint64_t frees_at(std::uint64_t first, std::uint64_t count, const CallStore& calls) {
    std::uint64_t freed = 0;
    while (freed + 1 < count && frees(calls.at(first + freed).kind)) ++freed;
    return freed;
  }

  static std::uint64_t behind_rarest(std::uint64_t first, std::uint64_t number,
                                     const CallStore& calls) {
    std::map<std::uint32_t, std::uint64_t> counts;
    for (std::uint64_t i = 0; i < number; ++i) ++counts[calls.at(first + i).function];
    std::uint64_t best = number - 1;
    const auto count = [&](std::uint64_t i) { return counts[calls.at(first + i).function]; };
    for (std::uint64_t i = number - 1; i-- > 0;) {
      if (count(i) < count(best)) best = i;
    }
    return (best + 1) % number;
  }

  std::optional<FoundPeriod> period_;
  std::uint64_t left_ = 0;  ///< calls until the cut
};

}  // namespace trilane
