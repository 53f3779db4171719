// JSON as text that people and line-based tools can read.
#pragma once

#include <boost/json/value.hpp>
#include <string>

namespace trilane {

/// `value` with a line per entry, indented by two spaces; an array or object of only numbers and
/// truth values is one line. Numbers have 15 significant digits, so that reading and writing again
/// gives the same text. Ends with a line feed. Throws std::invalid_argument on a number that is not
/// finite.
std::string pretty(const boost::json::value& value);

/// A time in microseconds as files keep raw ones: no clock resolves less than 1 ns.
double to_nanoseconds(double us);

}  // namespace trilane
