// Random numbers that are the same on every platform: the C++ standard fixes the sequence of the
// engine, but not the results of std::shuffle and the distributions.
#pragma once

#include <random>

#include "common/std.hpp"

namespace trilane {

class Random {
 public:
  explicit Random(std::uint64_t seed) : engine_(seed) {}

  /// Returns 64 random bits.
  std::uint64_t next() { return engine_(); }

  /// Returns a value from 0 to `bound` - 1, all equally likely. `bound` is at least 1.
  std::uint64_t below(std::uint64_t bound) {
    // 2^64 modulo bound: the number of draws to reject so that all values are equally likely.
    const std::uint64_t leftover = -bound % bound;
    std::uint64_t draw = next();
    while (draw < leftover) draw = next();
    return draw % bound;
  }

  /// Returns a value above 0 and below 1.
  double share() { return (static_cast<double>(next() >> 11) + 0.5) / 9007199254740992.0; }

 private:
  std::mt19937_64 engine_;
};

/// Shuffles `items`; every order is equally likely (Fisher and Yates).
template <typename T>
void shuffle(std::span<T> items, Random& random) {
  for (std::size_t left = items.size(); left > 1; --left) {
    std::swap(items[left - 1], items[random.below(left)]);
  }
}

/// Returns the numbers from 0 to `count` - 1 in a shuffled order.
inline std::vector<std::size_t> shuffled(std::size_t count, Random& random) {
  std::vector<std::size_t> order(count);
  std::iota(order.begin(), order.end(), 0);
  shuffle(std::span(order), random);
  return order;
}

}  // namespace trilane
