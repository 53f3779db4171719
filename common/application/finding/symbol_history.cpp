#include "common/application/finding/symbol_history.hpp"

#include <algorithm>

namespace trilane {
namespace {

constexpr std::uint64_t base = 0x9e3779b97f4a7c15u;  // odd, so that none of its powers is 0
constexpr std::uint64_t first_room = 1024;

std::uint64_t power_of_base(std::uint64_t exponent) {
  std::uint64_t result = 1;
  for (std::uint64_t square = base; exponent > 0; exponent >>= 1, square *= square) {
    if ((exponent & 1) != 0) result *= square;
  }
  return result;
}

}  // namespace

SymbolHistory::SymbolHistory(std::uint64_t most)
    : most_(most), mask_(std::min(most, first_room) - 1), entries_(mask_ + 1) {}

void SymbolHistory::add(std::uint64_t symbol) {
  if (size_ == entries_.size() && size_ < most_) grow();
  entries_[size_ & mask_] = {symbol, hash_};
  hash_ = hash_ * base + symbol;
  ++size_;
}

/// Until the first wrap every entry lies at its position, so that no entry moves.
void SymbolHistory::grow() {
  entries_.resize(2 * entries_.size());
  mask_ = entries_.size() - 1;
}

std::uint64_t SymbolHistory::hash_until(std::uint64_t position) const {
  return position == size_ ? hash_ : entries_[position & mask_].before;
}

bool SymbolHistory::repeats(std::uint64_t distance, std::uint64_t length) const {
  const std::uint64_t power = power_of_base(length);
  const auto hash = [&](std::uint64_t end) {
    return hash_until(end) - hash_until(end - length) * power;
  };
  return hash(size_) == hash(size_ - distance);
}

}  // namespace trilane
