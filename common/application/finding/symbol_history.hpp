// The latest symbols of a long sequence, with a hash of any segment at constant cost.
#pragma once

#include <cstdint>
#include <vector>

namespace trilane {

/// Keeps the latest `most` symbols (a power of two). Positions count from the first symbol ever.
class SymbolHistory {
 public:
  explicit SymbolHistory(std::uint64_t most);

  void add(std::uint64_t symbol);

  std::uint64_t size() const { return size_; }  ///< symbols added
  std::uint64_t oldest() const { return size_ > most_ ? size_ - most_ : 0; }

  /// Returns the symbol at a position in [oldest(), size()).
  std::uint64_t at(std::uint64_t position) const { return entries_[position & mask_].symbol; }

  /// Returns true if the last `length` symbols equal those `distance` before them, by their hashes.
  /// Both segments must be kept.
  bool repeats(std::uint64_t distance, std::uint64_t length) const;

 private:
  struct Entry {
    std::uint64_t symbol, before;  ///< hash of all symbols before this one
  };
  void grow();
  std::uint64_t hash_until(std::uint64_t position) const;

  std::uint64_t most_, mask_, size_ = 0, hash_ = 0;
  std::vector<Entry> entries_;
};

}  // namespace trilane
