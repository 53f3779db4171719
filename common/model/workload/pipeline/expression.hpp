// The expressions of pipeline files: whole numbers computed from a chunk's items and named sizes.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace trilane {

/// What a name in an expression stands for.
struct NamedValue {
  std::string name;
  std::uint64_t value;
};

/// The longest expression in bytes, and the most levels of parentheses.
inline constexpr std::size_t most_expression_bytes = 1000;
inline constexpr int most_expression_levels = 64;

/// The value of an expression: unsigned 64-bit numbers, with suffixes K, M and G for powers of
/// 1024, names, + - * / % ( ), ceil(a / b), min(a, b) and max(a, b). `/` rounds down. Throws
/// UsageError that shows the expression, the values of its names and what to write instead: for
/// text that is no expression, unknown names, division by zero, and values below zero or beyond
/// 2^64 - 1.
std::uint64_t value_of(const std::string& expression, std::span<const NamedValue> names);

/// " with n = 8, width = 4": the names in the expression with their values; empty if it has none.
std::string with_values(const std::string& expression, std::span<const NamedValue> names);

/// Whether a size may have that name: letters, digits and _, not first a digit, at most 64, and no
/// name that expressions know already.
bool is_size_name(std::string_view name);

/// A text of a pipeline file as messages show it: in double quotes, on one line, cut if long.
std::string as_written(std::string_view text);

}  // namespace trilane
