// Types of the elements of buffers and of kernels' arguments, and their ranges.
#pragma once

#include "common/base/text/enumerators.hpp"

namespace trilane {

BOOST_DEFINE_FIXED_ENUM_CLASS(Element, std::uint8_t, int8, uint8, int16, uint16, int32, uint32,
                              int64, uint64, float16, float32, float64)

/// Returns the name in a pipeline file: "int8", "float" (32 bits), "double", "half".
constexpr const char* name_of(Element element) {
  switch (element) {
    case Element::float16: return "half";
    case Element::float32: return "float";
    case Element::float64: return "double";
    default: return words_of_name(element);
  }
}

/// Returns the bytes of one element.
constexpr std::uint64_t size_of(Element element) {
  switch (element) {
    case Element::int8:
    case Element::uint8: return 1;
    case Element::int16:
    case Element::uint16:
    case Element::float16: return 2;
    case Element::int32:
    case Element::uint32:
    case Element::float32: return 4;
    case Element::int64:
    case Element::uint64:
    case Element::float64: return 8;
  }
  return 0;
}

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
