// Values of a JSON document, checked, and as text for people and line-based tools.
#pragma once

#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <boost/json/string.hpp>
#include <boost/json/value.hpp>

#include "common/base/json/ranges.hpp"

namespace trilane {

/// Each function returns the value as the type in its name, or throws a Misfit that shows it.
const boost::json::object& object_in(const boost::json::value& value);
const boost::json::array& array_in(const boost::json::value& value);
bool truth_in(const boost::json::value& value);
double number_in(const boost::json::value& value);     ///< finite
std::string text_in(const boost::json::value& value);  ///< printable, see printable_character()

/// Returns the value on one line, cut if long: "an object", "an array", 0.5, "text" in its quotes.
std::string shown_value(const boost::json::value& value);

/// Throws a Misfit, without a place, that shows the value: "is not a number: an object".
[[noreturn]] void misfit(const std::string& what, const boost::json::value& value);

/// Throws a Misfit unless the number lies in the range.
void require_in(double number, const Range& range);

/// Throws a Misfit unless the text's length lies in the range.
void require_length(std::string_view text, const Range& range);

/// Returns a key as a name. Throws a Misfit unless it is printable and short.
std::string name_in(std::string_view key);

/// Returns the text in a form that can be read again, see printable(), for any bytes and length.
boost::json::string readable(std::string_view text, const Range& range);

/// The members of an object, which must all be read.
class ObjectReader {
 public:
  explicit ObjectReader(const boost::json::value& value) : object_(object_in(value)) {}

  bool contains(std::string_view key) const { return object_.contains(key); }

  /// Returns the value of a required key. Throws a Misfit if it is missing.
  const boost::json::value& at(std::string_view key);

  /// Throws a Misfit if there are unread keys.
  void finish() const;

 private:
  const boost::json::object& object_;
  std::vector<std::string_view> keys_;
};

/// The entries that an array or object on one line may have.
enum class OneLine {
  numbers,  ///< and truth values
  texts     ///< too, and any if the line is short
};

/// Returns `value` with a line per entry, indented by two spaces, or fewer, see OneLine. Numbers
/// have 15 significant digits, so reading and writing again gives the same text. Ends with a line
/// feed. Throws std::invalid_argument on a number that is not finite.
std::string pretty(const boost::json::value& value, OneLine one_line = OneLine::numbers);

/// Returns a time in microseconds to the nanosecond, as in files: no clock resolves less.
double to_nanoseconds(double us);

}  // namespace trilane
