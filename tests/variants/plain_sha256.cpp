#include "tests/variants/plain_sha256.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>

namespace trilane {

namespace {

using Word = std::uint32_t;
using State = std::array<Word, 8>;

/// Returns the first 32 bits of the fractional part of a root. A long double has 64 bits of
/// precision, and no root's whole part needs more than 5.
Word fraction_of(long double root) {
  return static_cast<Word>((root - std::floor(root)) * 4294967296.0L);
}

struct Constants {
  State initial{};               ///< of the square roots of the first 8 primes
  std::array<Word, 64> round{};  ///< of the cube roots of the first 64 primes

  Constants() {
    std::size_t primes = 0;
    for (int number = 2; primes < round.size(); ++number) {
      bool is_prime = true;
      for (int by = 2; by * by <= number; ++by) is_prime &= number % by != 0;
      if (!is_prime) continue;
      if (primes < initial.size()) initial[primes] = fraction_of(std::sqrt(1.0L * number));
      round[primes++] = fraction_of(std::cbrt(1.0L * number));
    }
  }
};

const Constants& constants() {
  static const Constants all;
  return all;
}

std::array<Word, 64> schedule_of(std::span<const std::byte, 64> block) {
  std::array<Word, 64> w{};
  for (std::size_t i = 0; i < block.size(); ++i) {
    w[i / 4] = w[i / 4] << 8 | std::to_integer<Word>(block[i]);
  }
  for (std::size_t t = 16; t < w.size(); ++t) {
    const Word x = w[t - 15], y = w[t - 2];
    w[t] = (std::rotr(y, 17) ^ std::rotr(y, 19) ^ y >> 10) + w[t - 7] +
           (std::rotr(x, 7) ^ std::rotr(x, 18) ^ x >> 3) + w[t - 16];
  }
  return w;
}

void compress(State& state, std::span<const std::byte, 64> block) {
  const std::array<Word, 64> w = schedule_of(block);
  auto [a, b, c, d, e, f, g, h] = state;
  for (std::size_t t = 0; t < w.size(); ++t) {
    const Word choice = (e & f) ^ (~e & g), majority = (a & b) ^ (a & c) ^ (b & c);
    const Word t1 = h + (std::rotr(e, 6) ^ std::rotr(e, 11) ^ std::rotr(e, 25)) + choice +
                    constants().round[t] + w[t];
    const Word t2 = (std::rotr(a, 2) ^ std::rotr(a, 13) ^ std::rotr(a, 22)) + majority;
    h = g, g = f, f = e, e = d + t1, d = c, c = b, b = a, a = t1 + t2;
  }
  const State after{a, b, c, d, e, f, g, h};
  for (std::size_t i = 0; i < state.size(); ++i) state[i] += after[i];
}

}  // namespace

std::array<std::byte, 32> plain_sha256(std::span<const std::byte> message) {
  std::array<std::byte, 128> padded{};
  std::ranges::copy(message, padded.begin());
  padded[message.size()] = std::byte{0x80};
  const std::size_t bytes = message.size() < 56 ? 64 : 128, bits = message.size() * 8;
  padded[bytes - 2] = static_cast<std::byte>(bits >> 8);
  padded[bytes - 1] = static_cast<std::byte>(bits);
  State state = constants().initial;
  for (std::size_t at = 0; at < bytes; at += 64) {
    compress(state, std::span(padded).subspan(at).first<64>());
  }
  std::array<std::byte, 32> hash{};
  for (std::size_t i = 0; i < hash.size(); ++i) {
    hash[i] = static_cast<std::byte>(state[i / 4] >> (24 - 8 * (i % 4)));
  }
  return hash;
}

}  // namespace trilane
