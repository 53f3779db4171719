// The range of each number and the length of each text in a file, declared beside the record.
#pragma once

#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>

#include "common/base/json/members.hpp"

namespace trilane {

/// The permitted values of a number; for a text, of its length in bytes.
struct Range {
  double least = std::numeric_limits<double>::lowest(), most = std::numeric_limits<double>::max();
};

/// Members with one range. The header of a record declares `constexpr auto ranges(const Record*) {
/// return std::tuple{Within<&Record::member, ...>{{least, most}}, ...}; }`. Other members have the
/// range of the unit in their name, or of their type.
template <auto... members>
struct Within {
  Range range;
};

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

namespace detail {

/// The type of the numbers or texts inside lists, tables and optional values.
template <typename T>
struct Leaf {
  using type = T;
};
template <>
struct Leaf<std::string> {
  using type = std::string;
};
template <typename First, typename Second>
struct Leaf<std::pair<First, Second>> : Leaf<Second> {};
template <typename T>
requires requires { typename T::value_type; }
struct Leaf<T> : Leaf<typename T::value_type> {};

template <auto member>
struct MemberTag {};

template <auto member, auto... members>
constexpr void take(std::optional<Range>& found, const Within<members...>& within) {
  if ((std::is_same_v<MemberTag<member>, MemberTag<members>> || ...)) found = within.range;
}

}  // namespace detail

/// Returns the range of texts outside members: keys.
template <typename T>
constexpr Range range_of_type() {
  if constexpr (std::is_same_v<typename detail::Leaf<T>::type, std::string>) return name_range;
  return {};
}

/// Returns the range of a member; `Member` is one of its FileMembers.
template <typename Record, typename Member>
constexpr Range range_of() {
  std::optional<Range> stated;
  if constexpr (requires { ranges(static_cast<const Record*>(nullptr)); }) {
    std::apply([&](const auto&... all) { (detail::take<Member::pointer>(stated, all), ...); },
               ranges(static_cast<const Record*>(nullptr)));
  }
  using Field = std::remove_cvref_t<decltype(std::declval<Record&>().*Member::pointer)>;
  using Leaf = typename detail::Leaf<Field>::type;
  if (!stated && std::is_arithmetic_v<Leaf>) stated = range_of_unit(Member::name);
  if (!stated && std::is_floating_point_v<Leaf>) throw "state the member's range in ranges()";
  return stated.value_or(range_of_type<Leaf>());
}

}  // namespace trilane
