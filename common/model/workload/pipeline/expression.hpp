// The expressions of pipeline files: whole numbers computed from a chunk's items and named sizes.
#pragma once

#include "common/std.hpp"

namespace trilane {

/// A name in an expression and its value.
struct NamedValue {
  std::string name;
  std::uint64_t value;
};

/// The longest expression in bytes, and the most levels of parentheses.
inline constexpr std::size_t most_expression_bytes = 1000;
inline constexpr int most_expression_levels = 64;

/// Returns the value of an expression of unsigned 64-bit numbers, with suffixes K, M and G for
/// powers of 1024, names, + - * / % ( ), ceil(a / b), min(a, b) and max(a, b). `/` rounds down.
/// Throws UsageError that shows the expression, the values of its names and the remedy, also for
/// unknown names, division by zero, and values below zero or beyond 2^64 - 1.
std::uint64_t value_of(const std::string& expression, std::span<const NamedValue> names);

/// Returns the names in the expression with their values, " with n = 8, width = 4", if any.
std::string with_values(const std::string& expression, std::span<const NamedValue> names);

/// Returns true if a size may have that name: at most 64 letters, digits and _, not starting with a
/// digit, and not already known in expressions.
bool is_size_name(std::string_view name);

/// Returns a pipeline file's text as in messages: in double quotes, on one line, cut if long.
std::string as_written(std::string_view text);

}  // namespace trilane
