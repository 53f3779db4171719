#include "common/measure/loop/bench/items.hpp"

#include "common/model/workload/random.hpp"
#include "kernels/mix.hpp"

namespace trilane {
namespace {

using Word = std::uint32_t;

/// Calls `put` with each place of a sequence number and its digit there, the lowest first.
template <typename Put>
void for_each_digit(std::uint64_t sequence, Put put) {
  for (std::size_t place = 0; place < Items::digits; ++place) {
    put(place, static_cast<std::size_t>(sequence % Items::letters));
    sequence /= Items::letters;
  }
}

Word word_at(const std::byte* block, std::size_t word) {
  Word value = 0;
  std::memcpy(&value, block + word * sizeof value, sizeof value);
  return value;
}

}  // namespace

Items::Items(const Loop& loop, std::uint64_t seed)
    : lanes_(loop.lanes),
      inputs_(loop.in_bytes / sizeof(Word)),
      outputs_(loop.out_bytes / sizeof(Word)) {
  if (outputs_ < digits || inputs_ % outputs_ != 0) {
    throw std::invalid_argument("the result must hold a sequence number and divide the parameters");
  }
  if (loop.in_bytes + loop.out_bytes > most_bytes) {
    throw std::invalid_argument("parameters and result together must not exceed 1 MiB");
  }
  Random random(seed);
  // Different words, so that their sums differ: mix is a bijection.
  const auto first = static_cast<Word>(random.next());
  for (Word i = 0; i < letters; ++i) {
    words_.push_back(first + i * 0x9e3779b9u);
    sums_.push_back(mix(words_.back() ^ salt(0), loop.rounds));
  }
  others_ = static_cast<Word>(inputs_ / outputs_ - 1) * sums_[0];
  Block places;  // the letter of each input word before the shift
  for (std::size_t i = 0; i < inputs_; ++i) {
    places.push_back(static_cast<Word>(random.below(letters)));
  }
  for (Word shift = 0; shift < letters; ++shift) add_blocks(places, shift);
}

void Items::add_blocks(const Block& places, std::uint32_t shift) {
  Block parameters(inputs_), result(outputs_);
  for (std::size_t i = 0; i < inputs_; ++i) {
    const std::size_t output = i % outputs_;
    // Only one input word of an output with a digit holds it. Several would add a multiple of the
    // sum, which may be the same for different digits.
    const Word letter = output < digits ? 0 : (places[i] + shift) % letters;
    parameters[i] = words_[letter];
    result[output] += sums_[letter];
  }
  parameters_.push_back(std::move(parameters));
  results_.push_back(std::move(result));
}

/// Returns the shift of an item: from one to the next, words without a digit advance by a letter.
std::size_t Items::shift_of(std::uint64_t sequence) const {
  return static_cast<std::size_t>((sequence / lanes_ + sequence % lanes_) % letters);
}

void Items::write(std::uint64_t sequence, std::byte* parameters) const {
  std::memcpy(parameters, parameters_[shift_of(sequence)].data(), inputs_ * sizeof(Word));
  for_each_digit(sequence, [&](std::size_t place, std::size_t digit) {
    std::memcpy(parameters + place * sizeof(Word), &words_[digit], sizeof(Word));
  });
}

std::optional<std::uint64_t> Items::sequence_in(const std::byte* result) const {
  std::uint64_t sequence = 0;
  for (std::size_t place = digits; place-- > 0;) {
    const auto found = std::ranges::find(sums_, word_at(result, place) - others_);
    if (found == sums_.end()) return std::nullopt;
    sequence = sequence * letters + static_cast<std::uint64_t>(found - sums_.begin());
  }
  return sequence;
}

bool Items::is_right(std::uint64_t sequence, const std::byte* result) const {
  bool right = true;
  for_each_digit(sequence, [&](std::size_t place, std::size_t digit) {
    right = right && word_at(result, place) == sums_[digit] + others_;
  });
  return right &&
         std::memcmp(result + digits * sizeof(Word), results_[shift_of(sequence)].data() + digits,
                     (outputs_ - digits) * sizeof(Word)) == 0;
}

Outcome Items::check(std::uint64_t sequence, const std::byte* result) const {
  if (is_right(sequence, result)) return Outcome::right;
  const std::optional<std::uint64_t> held = sequence_in(result);
  return held && *held != sequence ? Outcome::other_item : Outcome::wrong;
}

Outcome Items::take(std::uint64_t sequence, std::byte* result) const {
  const Outcome outcome = check(sequence, result);
  const Word spoilt = ~word_at(result, 0);
  std::memcpy(result, &spoilt, sizeof spoilt);
  return outcome;
}

}  // namespace trilane
