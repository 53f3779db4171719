// A cache for mix(), which is called repeatedly with the same words.
#pragma once

#include <cstdint>
#include <map>
#include <utility>
#include <vector>

#include "kernels/mix.hpp"

namespace trilane::simulator {

/// Caches mix(word ^ salt, rounds) by word. Inputs are drawn from a few thousand words
/// (common/model/workload/reference.hpp), and a round takes 1.6 ns on a CPU.
class MixTable {
 public:
  MixTable(std::uint32_t salt, std::uint32_t rounds)
      : salt_(salt), rounds_(rounds), slots_(slot_count, Slot{0, mix(salt, rounds)}) {}

  std::uint32_t operator()(std::uint32_t word) {
    std::uint32_t slot = first_slot(word);
    while (slots_[slot].word != word) {
      if (slots_[slot].word == 0) return add(word);
      slot = (slot + 1) % slot_count;
    }
    return slots_[slot].mixed;
  }

 private:
  /// Open addressing, 256 KiB. An empty slot holds the word 0 and its value.
  struct Slot {
    std::uint32_t word, mixed;
  };
  static constexpr std::uint32_t slot_bits = 15, slot_count = 1u << slot_bits;
  static constexpr std::uint32_t most_words = slot_count / 2;

  static std::uint32_t first_slot(std::uint32_t word) {
    return word * 0x9e3779b9u >> (32 - slot_bits);  // Fibonacci hashing
  }

  std::uint32_t add(std::uint32_t word) {
    // Full of another alphabet's words: start again.
    if (words_ == most_words) *this = MixTable(salt_, rounds_);
    std::uint32_t slot = first_slot(word);
    while (slots_[slot].word != 0) slot = (slot + 1) % slot_count;
    slots_[slot] = {word, mix(word ^ salt_, rounds_)};
    ++words_;
    return slots_[slot].mixed;
  }

  std::uint32_t salt_, rounds_, words_ = 0;
  std::vector<Slot> slots_;
};

/// Returns the table for a salt and a number of rounds, valid until the next call. Not thread-safe.
inline MixTable& mix_table(std::uint32_t salt, std::uint32_t rounds) {
  constexpr std::size_t most_tables = 32;  // more than a chunk has kernels; 8 MiB
  static std::map<std::pair<std::uint32_t, std::uint32_t>, MixTable> tables;
  const std::pair key{salt, rounds};
  if (tables.size() >= most_tables && !tables.contains(key)) tables.clear();
  return tables.try_emplace(key, salt, rounds).first->second;
}

}  // namespace trilane::simulator
