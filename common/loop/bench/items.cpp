#include "common/loop/bench/items.hpp"

#include <algorithm>
#include <cstring>
#include <stdexcept>

#include "common/workload/random.hpp"
#include "kernels/mix.hpp"

namespace trilane {
namespace {

using Word = std::uint32_t;

std::uint32_t digit_of(std::uint64_t sequence, std::size_t place) {
  for (; place > 0; --place) sequence /= Items::letters;
  return static_cast<std::uint32_t>(sequence % Items::letters);
}

}  // namespace

Items::Items(const Loop& loop, std::uint64_t seed)
    : lanes_(loop.lanes),
      inputs_(loop.in_bytes / sizeof(Word)),
      outputs_(loop.out_bytes / sizeof(Word)) {
  if (outputs_ < digits || inputs_ % outputs_ != 0) {
    throw std::invalid_argument("the result must hold a sequence number and divide the parameters");
  }
  Random random(seed);
  // Different words, so that their sums differ: mix is a bijection.
  const auto first = static_cast<Word>(random.next());
  for (Word i = 0; i < letters; ++i) {
    words_.push_back(first + i * 0x9e3779b9u);
    sums_.push_back(mix(words_.back() ^ salt(0), loop.rounds));
  }
  for (std::size_t i = 0; i < inputs_; ++i) {
    places_.push_back(static_cast<std::uint32_t>(random.below(letters)));
  }
}

std::uint32_t Items::letter(std::uint64_t sequence, std::size_t word) const {
  const std::size_t output = word % outputs_;
  if (output >= digits) {
    // From one item of a lane to the next every word moves on by one letter.
    return static_cast<std::uint32_t>((places_[word] + sequence / lanes_ + sequence % lanes_) %
                                      letters);
  }
  // Only one input word of such an output holds the digit. Several would add up to a multiple of
  // the sum, which can be the same for different digits.
  return word < outputs_ ? digit_of(sequence, output) : 0;
}

void Items::write(std::uint64_t sequence, std::byte* parameters) const {
  auto* const words = reinterpret_cast<Word*>(parameters);
  for (std::size_t i = 0; i < inputs_; ++i) words[i] = words_[letter(sequence, i)];
}

std::optional<std::uint64_t> Items::sequence_in(const std::byte* result) const {
  const auto others = static_cast<Word>(inputs_ / outputs_ - 1) * sums_[0];
  std::uint64_t sequence = 0;
  for (std::size_t place = digits; place-- > 0;) {
    Word word = 0;
    std::memcpy(&word, result + place * sizeof word, sizeof word);
    const auto found = std::ranges::find(sums_, word - others);
    if (found == sums_.end()) return std::nullopt;
    sequence = sequence * letters + static_cast<std::uint64_t>(found - sums_.begin());
  }
  return sequence;
}

Outcome Items::check(std::uint64_t sequence, const std::byte* result) const {
  const std::optional<std::uint64_t> held = sequence_in(result);
  if (!held) return Outcome::wrong;
  if (*held != sequence) return Outcome::other_item;
  const auto* const words = reinterpret_cast<const Word*>(result);
  std::size_t wrong = 0;
  for (std::size_t output = 0; output < outputs_; ++output) {
    Word sum = 0;
    for (std::size_t i = output; i < inputs_; i += outputs_) sum += sums_[letter(sequence, i)];
    wrong += words[output] != sum;
  }
  return wrong == 0 ? Outcome::right : Outcome::wrong;
}

}  // namespace trilane
