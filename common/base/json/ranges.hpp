// The range of each number and the length of each text in a file, declared beside the record.
#pragma once

#include "common/std.hpp"

namespace trilane {

/// The permitted values of a number; for a text, of its length in bytes.
struct Range {
  double least = std::numeric_limits<double>::lowest(), most = std::numeric_limits<double>::max();
};

/// Members with one range.
template <auto... members>
struct Within {
  Range range;
};

/// States the ranges of members of a record, which is R there, as Within<&R::member, ...>{{least,
/// most}}. Other members have the range of the unit in their name, or of their type.
#define TRILANE_RANGES(Record, ...)      \
  constexpr auto ranges(const Record*) { \
    using R = Record;                    \
    return std::tuple{__VA_ARGS__};      \
  }

/// A day: the longest time in a file, in microseconds.
inline constexpr double day_us = 24 * 3600e6;
/// Times that are differences.
inline constexpr Range either_way_us{-day_us, day_us};
/// Factors and ratios of times, and numbers of passes: a day over a picosecond still fits.
inline constexpr Range factor_range{0, 1e18};
/// Shares; rounding may lift them above 1.
inline constexpr Range share_range{0, 1.01};
/// Names of variants, workloads and properties. Texts without another range are names.
inline constexpr Range name_range{0, 200};
/// Messages, notes, answers, command lines.
inline constexpr Range text_range{0, 10'000};

/// Returns the range of the unit at the end of a member's name.
constexpr std::optional<Range> range_of_unit(std::string_view name) {
  if (name == "us" || name.ends_with("_us")) return Range{0, day_us};
  if (name.ends_with("seconds")) return Range{0, 1e9};
  if (name.ends_with("_gbps")) return Range{0, 1e6};
  if (name == "bytes" || name.ends_with("_bytes")) return Range{0, 0x1p60};
  return std::nullopt;
}

}  // namespace trilane
