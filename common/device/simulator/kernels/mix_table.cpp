#include "common/device/simulator/kernels/mix_table.hpp"

#include <map>
#include <utility>

#include "kernels/mix.hpp"

namespace trilane::simulator {

namespace {

constexpr std::size_t most_tables = 32;  // more than a chunk has kernels; 8 MiB

}  // namespace

MixTable::MixTable(std::uint32_t salt, std::uint32_t rounds)
    : salt_(salt), rounds_(rounds), slots_(slot_count, Slot{0, mix(salt, rounds)}) {}

std::uint32_t MixTable::add(std::uint32_t word) {
  // Full of another alphabet's words: start again.
  if (words_ == most_words) *this = MixTable(salt_, rounds_);
  std::uint32_t slot = first_slot(word);
  while (slots_[slot].word != 0) slot = (slot + 1) % slot_count;
  slots_[slot] = {word, mix(word ^ salt_, rounds_)};
  ++words_;
  return slots_[slot].mixed;
}

MixTable& mix_table(std::uint32_t salt, std::uint32_t rounds) {
  static std::map<std::pair<std::uint32_t, std::uint32_t>, MixTable> tables;
  const std::pair key{salt, rounds};
  if (tables.size() >= most_tables && !tables.contains(key)) tables.clear();
  return tables.try_emplace(key, salt, rounds).first->second;
}

}  // namespace trilane::simulator
