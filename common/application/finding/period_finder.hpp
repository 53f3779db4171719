// Finds the period of a sequence of symbols while it grows.
#pragma once

#include "common/std.hpp"

namespace trilane {

/// Returns the hash of a sequence with one more value.
inline std::uint64_t mixed(std::uint64_t hash, std::uint64_t value) {
  hash = (hash ^ value) * 0xff51afd7ed558ccdu;
  return hash ^ hash >> 32;
}

/// The latest `most` symbols (a power of two) of a long sequence, with a hash of any segment at
/// constant cost. Positions count from the first symbol ever.
class SymbolHistory {
 public:
  explicit SymbolHistory(std::uint64_t most);

  void add(std::uint64_t symbol);

  std::uint64_t size() const { return size_; }  ///< symbols added
  std::uint64_t oldest() const { return size_ > most_ ? size_ - most_ : 0; }

  /// Returns the symbol at a position in [oldest(), size()).
  std::uint64_t at(std::uint64_t position) const { return entries_[position & mask_].symbol; }

  /// Returns true if the last `length` symbols, all kept, equal those `distance` before, by hashes.
  bool repeats(std::uint64_t distance, std::uint64_t length) const;

 private:
  struct Entry {
    std::uint64_t symbol, before;  ///< hash of all symbols before this one
  };
  void grow();
  std::uint64_t hash_until(std::uint64_t position) const {
    return position == size_ ? hash_ : entries_[position & mask_].before;
  }

  std::uint64_t most_, mask_, size_ = 0, hash_ = 0;
  std::vector<Entry> entries_;
};

/// A segment that repeated until a symbol differed from the one a period before, or until now.
struct PeriodRun {
  std::uint64_t period = 0;
  std::uint64_t from = 0;  ///< position of its first symbol
  std::uint64_t at = 0;    ///< position of the symbol that differed, or of the next one
  bool lasts = false;      ///< nothing differed

  std::uint64_t length() const { return at - from; }
  std::uint64_t whole() const { return length() / period; }
};

/// Takes one symbol at a time, at an amortised cost of some 20 ns, and keeps at most `most` of them
/// (a power of two). Does not find periods longer than `most` / repetitions.
///
/// Most periods hold a symbol that occurs at most `chain` times in them. Their only candidates are
/// the distances to the last occurrences of the new symbol, and a comparison of hashes decides. A
/// Z-function over all kept symbols, at geometrically growing distances, finds the others.
class PeriodFinder {
 public:
  /// `whole`: the fewest repetitions of the run that nearest() returns.
  PeriodFinder(std::uint64_t repetitions, std::uint64_t most, std::uint64_t whole = 2);

  /// Returns the smallest period whose last repetition ends now; 0 without one.
  std::uint64_t add(std::uint64_t symbol);

  /// From now on, periods of at most `period` symbols must repeat four times as often as before.
  /// Otherwise an inner loop that runs a few more times would hide the outer one for ever.
  void left(std::uint64_t period);

  /// Returns the longest run with enough whole repetitions.
  std::optional<PeriodRun> nearest() const;

 private:
  static constexpr int chain = 4;

  void follow(std::uint64_t position);
  std::uint64_t occurrences(std::uint64_t symbol, std::uint64_t position);
  std::uint64_t needed(std::uint64_t period) const;
  bool repeats(std::uint64_t period, std::uint64_t length) const;
  std::uint64_t by_z() const;
  std::optional<PeriodRun> run_until(std::uint64_t end) const;

  std::uint64_t repetitions_, most_, whole_;
  SymbolHistory history_;
  std::vector<std::uint64_t> latest_;    ///< 1 + position, by hash of the symbol; may be lost
  std::vector<std::uint64_t> distance_;  ///< to the previous occurrence, by position; 0: none
  std::uint64_t pinned_ = 0;             ///< a period that the Z-function has found
  std::uint64_t next_z_;
  std::uint64_t left_ = 0, factor_ = 1;
  std::uint64_t running_ = 0, run_ = 0;  ///< period and length of the run under way
  std::optional<PeriodRun> longest_;     ///< of the runs that have ended
};

}  // namespace trilane
