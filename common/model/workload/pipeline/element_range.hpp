// The range of values of an element.
#pragma once

#include <cstdint>
#include <limits>

#include "common/model/workload/pipeline/element.hpp"

namespace trilane {

constexpr bool is_floating(Element element) {
  return element == Element::float16 || element == Element::float32 || element == Element::float64;
}

constexpr bool is_signed(Element element) {
  return element == Element::int8 || element == Element::int16 || element == Element::int32 ||
         element == Element::int64;
}

/// Returns the largest value of an integer type.
constexpr std::uint64_t most_whole(Element element) {
  const auto bits = 8 * size_of(element) - (is_signed(element) ? 1 : 0);
  return std::numeric_limits<std::uint64_t>::max() >> (64 - bits);
}

/// Returns the smallest value of an integer type.
constexpr std::int64_t least_whole(Element element) {
  return is_signed(element) ? -static_cast<std::int64_t>(most_whole(element)) - 1 : 0;
}

/// Returns the largest finite value of a floating-point type; the smallest is its negative.
constexpr double most_floating(Element element) {
  if (element == Element::float16) return 65504;
  if (element == Element::float32) return std::numeric_limits<float>::max();
  return std::numeric_limits<double>::max();
}

}  // namespace trilane
