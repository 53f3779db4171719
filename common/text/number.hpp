// Numbers as people write them, with a unit behind.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace trilane {

/// A decimal number, kept exact: significand * 10^exponent, and what follows it.
struct Decimal {
  bool negative = false;
  std::uint64_t significand = 0;
  int exponent = 0;
  std::string_view unit;  ///< without the spaces around it
};

/// Nothing when `text` does not start with a number.
std::optional<Decimal> read_decimal(std::string_view text);

/// The number's absolute value times `factor`; 2^64-1 when it is that or more, nothing when it is
/// no whole number.
std::optional<std::uint64_t> whole(const Decimal& number, std::uint64_t factor);

struct Real {
  double value = 0;
  std::string_view unit;
};

/// Nothing when `text` does not start with a finite number.
std::optional<Real> read_real(std::string_view text);

}  // namespace trilane
