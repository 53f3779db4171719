// Parses numbers with units.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace trilane {

/// A finite number and its unit. A long double holds every 64-bit integer exactly.
struct Number {
  long double value = 0;
  std::string_view unit;  ///< without the spaces around it
};

/// Parses a finite number at the start of `text`; absent if there is none.
std::optional<Number> read_number(std::string_view text);

/// Returns the absolute value, at most 2^64-1; absent unless it is whole up to rounding errors.
std::optional<std::uint64_t> whole(long double value);

}  // namespace trilane
