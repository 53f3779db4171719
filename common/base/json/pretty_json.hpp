// JSON as text for people and line-based tools.
#pragma once

#include <boost/json/value.hpp>

#include "common/std.hpp"

namespace trilane {

/// The entries that an array or object on one line may have.
enum class OneLine {
  numbers,  ///< and truth values
  texts     ///< too, and any if the line is short
};

/// Returns `value` with a line per entry, indented by two spaces, or fewer, see OneLine. Numbers
/// have 15 significant digits, so reading and writing again gives the same text. Ends with a line
/// feed. Throws std::invalid_argument on a number that is not finite.
std::string pretty(const boost::json::value& value, OneLine one_line = OneLine::numbers);

/// Returns a time in microseconds with the resolution of raw times in files: no clock resolves less
/// than 1 ns.
double to_nanoseconds(double us);

}  // namespace trilane
