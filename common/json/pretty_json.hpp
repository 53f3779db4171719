// JSON as text that people and line-based tools can read.
#pragma once

#include <boost/json/value.hpp>
#include <string>

namespace trilane {

/// `value` indented by two spaces, with a line per entry; an array or object of nothing but
/// numbers and truth values stands on one line. Numbers keep 15 significant digits: with these a
/// reader that rounds carelessly still gives the same text again. Ends with a line feed. Throws
/// std::invalid_argument on a number that is not finite.
std::string pretty(const boost::json::value& value);

}  // namespace trilane
