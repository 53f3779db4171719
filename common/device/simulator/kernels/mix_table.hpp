// A cache for mix(), which is called repeatedly with the same words.
#pragma once

#include "common/std.hpp"
#include "kernels/mix.hpp"

namespace trilane::simulator {

/// Caches mix(word ^ salt, rounds) by word. Inputs are drawn from a few thousand words
/// (common/model/workload/reference.hpp), and a round takes 1.6 ns on a CPU, less for several.
class MixTable {
 public:
  MixTable(std::uint32_t salt, std::uint32_t rounds)
      : salt_(salt), rounds_(rounds), slots_(slot_count, Slot{0, mix(salt, rounds)}) {}

  /// Returns the value of the first word. The others are those that are likely to follow.
  std::uint32_t operator()(std::span<const std::uint32_t> words) {
    const Slot& slot = slot_of(words.front());
    return slot.word == words.front() ? slot.mixed : add(words);
  }

 private:
  /// Open addressing, 256 KiB. An empty slot holds the word 0 and its value.
  struct Slot {
    std::uint32_t word, mixed;
  };
  static constexpr std::uint32_t slot_bits = 15, slot_count = 1u << slot_bits;
  static constexpr std::uint32_t most_words = slot_count / 2;

  Slot& slot_of(std::uint32_t word) {
    std::uint32_t slot = word * 0x9e3779b9u >> (32 - slot_bits);  // Fibonacci hashing
    while (slots_[slot].word != word && slots_[slot].word != 0) slot = (slot + 1) % slot_count;
    return slots_[slot];
  }

  /// Adds the first word, and others among the next that are new, too.
  std::uint32_t add(std::span<const std::uint32_t> words) {
    // Full of another alphabet's words: start again.
    if (words_ > most_words) *this = MixTable(salt_, rounds_);
    Slot* slots[mixed_at_once];
    std::uint32_t mixed[mixed_at_once] = {};
    std::size_t count = 0;
    for (const std::uint32_t word : words.first(std::min(words.size(), 4 * mixed_at_once))) {
      Slot& slot = slot_of(word);
      if (slot.word == word) continue;
      slot.word = word;
      slots[count] = &slot;
      mixed[count] = word ^ salt_;
      if (++count == mixed_at_once) break;
    }
    mix_each(mixed, rounds_);
    for (std::size_t k = 0; k < count; ++k) slots[k]->mixed = mixed[k];
    words_ += static_cast<std::uint32_t>(count);
    return slots[0]->mixed;
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
