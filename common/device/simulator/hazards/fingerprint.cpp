#include "common/device/simulator/hazards/fingerprint.hpp"

#include <array>
#include <bit>
#include <cstddef>
#include <cstring>

namespace trilane::simulator {

namespace {

/// Mixes a word into the sum. Each step is invertible, so one changed word always changes the sum.
/// The rotation moves high bits, which a multiplication does not spread, down to the bits that the
/// next step spreads.
std::uint64_t step(std::uint64_t sum, std::uint64_t word) {
  return std::rotl(sum ^ word, 29) * 0x9e3779b97f4a7c15;
}

}  // namespace

std::uint64_t fingerprint_of(const Range& range) {
  // Several independent sums, because a single one would wait for each multiplication.
  using Words = std::array<std::uint64_t, 8>;
  Words sums = {1, 2, 3, 4, 5, 6, 7, 8};  // a sum of 0 would ignore leading zeros
  const auto add = [&sums](const Words& words) {
    for (std::size_t i = 0; i < words.size(); ++i) sums[i] = step(sums[i], words[i]);
  };
  const auto* at = reinterpret_cast<const std::byte*>(range.begin);
  std::uint64_t left = range.size();
  for (Words words; left >= sizeof words; at += sizeof words, left -= sizeof words) {
    std::memcpy(&words, at, sizeof words);
    add(words);
  }
  Words rest{};
  std::memcpy(&rest, at, left);
  add(rest);
  std::uint64_t fingerprint = 0;
  for (const std::uint64_t sum : sums) fingerprint = step(fingerprint, sum);
  return fingerprint;
}

std::uint64_t fingerprint_of(const Access& access) {
  std::uint64_t fingerprint = 0;
  for_each_row(access,
               [&](const Range& row) { fingerprint = step(fingerprint, fingerprint_of(row)); });
  return fingerprint;
}

}  // namespace trilane::simulator
