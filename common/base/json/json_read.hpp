// Reads records from JSON values.
#pragma once

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <boost/json/value.hpp>
#include <limits>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "common/base/json/members.hpp"
#include "common/base/json/misfit.hpp"
#include "common/base/text/enumerators.hpp"

namespace trilane {

/// Each function returns the value as the type in its name, or throws a Misfit that shows the
/// value.
const boost::json::object& object_in(const boost::json::value& value);
const boost::json::array& array_in(const boost::json::value& value);
bool truth_in(const boost::json::value& value);
double number_in(const boost::json::value& value);     ///< finite
std::string text_in(const boost::json::value& value);  ///< printable, see printable_character()

/// Returns the value on one line, cut if long: "an object", "an array", 0.5, "text" in its quotes.
std::string shown_value(const boost::json::value& value);

/// Throws a Misfit, without a place, that states the error and shows the value, cut if long: "is
/// not a number: an object".
[[noreturn]] void misfit(const std::string& what, const boost::json::value& value);

/// Throws a Misfit unless the number lies in the range.
void require_in(double number, const Range& range);

/// Throws a Misfit unless the text's length lies in the range.
void require_length(std::string_view text, const Range& range);

/// Returns a key as a name. Throws a Misfit unless it is printable and short.
std::string name_in(std::string_view key);

/// Reads the output of value_of() into `field`. The range applies to numbers and texts inside,
/// except in records, which have their own. Throws a Misfit with the place inside the value.
template <typename T>
void read(const boost::json::value& value, T& field, const Range& range = range_of_type<T>());

/// Reads the value with that key or index, which becomes part of a Misfit's place.
template <typename Part, typename T>
void read_part(const Part& part, const boost::json::value& value, T& field,
               const Range& range = range_of_type<T>()) {
  within(part, [&] { read(value, field, range); });
}

/// Reads an object as the members of a record. It must have every member and no other key.
class ObjectReader {
 public:
  explicit ObjectReader(const boost::json::value& value) : object_(object_in(value)) {}

  /// Returns the value of a required key.
  const boost::json::value& at(std::string_view key);

  template <typename Field>
  void operator()(std::string_view key, Field& field, const Range& range = range_of_type<Field>()) {
    read_part(key, at(key), field, range);
  }

  /// Reads an optional member; an absent value has no key.
  template <typename Field>
  void operator()(std::string_view key, std::optional<Field>& field,
                  const Range& range = range_of_type<Field>()) {
    if (object_.contains(key)) (*this)(key, field.emplace(), range);
  }

  /// Also calls cross_check(record) if the record's header declares it; it throws a Misfit if
  /// members contradict each other.
  template <Described Record>
  void members(Record& record);

  /// Throws a Misfit if there are unread keys.
  void finish() const;

 private:
  const boost::json::object& object_;
  std::vector<std::string_view> keys_;
};

template <Described Record>
void ObjectReader::members(Record& record) {
  for_each_member<Record>(
      [&](auto member) { (*this)(member.name, record.*member.pointer, member.range); });
  if constexpr (requires { derived_key(record); }) {
    const auto [key, wanted] = derived_key(record);
    auto found = wanted;
    (*this)(key, found);
    if (found != wanted) {
      throw Misfit{step(key), fmt::format("is {} but must be {}", found, wanted)};
    }
  }
  if constexpr (requires { cross_check(std::as_const(record)); })
    cross_check(std::as_const(record));
}

namespace detail {

template <typename Integer>
Integer whole_number_in(const boost::json::value& value) {
  using Limits = std::numeric_limits<Integer>;
  boost::system::error_code error;
  const auto number = value.to_number<Integer>(error);
  if (value.is_double() || error) {
    misfit(fmt::format("is not a whole number from {} to {}", Limits::min(), Limits::max()), value);
  }
  return number;
}

template <typename Enum>
void read_name(const boost::json::value& value, Enum& field) {
  const std::string name = text_in(value);
  const std::vector<std::string> names = all_names<Enum>();
  const auto found = std::ranges::find(names, name);
  if (found == names.end()) {
    misfit(fmt::format("is not one of \"{}\"", fmt::join(names, "\", \"")), value);
  }
  field = static_cast<Enum>(found - names.begin());
}

template <Described Record>
void read_columns(const boost::json::value& value, std::vector<Record>& records) {
  ObjectReader columns(value);
  std::optional<std::size_t> length;
  for_each_member<Record>([&](auto member) {
    const boost::json::value& found = columns.at(member.name);
    within(std::string_view(member.name), [&] {
      const boost::json::array& column = array_in(found);
      if (length.value_or(column.size()) != column.size()) {
        misfit(fmt::format("has {} entries, another column {}", column.size(), *length));
      }
      length = column.size();
      records.resize(*length);
      for (std::size_t i = 0; i < *length; ++i) {
        read_part(i, column[i], records[i].*member.pointer, member.range);
      }
    });
  });
  columns.finish();
}

template <typename Entry>
void read_list(const boost::json::value& value, std::vector<Entry>& list, const Range& range) {
  if constexpr (Keyed<Entry>) {
    for (const auto& [key, entry] : object_in(value)) {
      Entry& read_in = list.emplace_back();
      read_in.*entry_key(read_in) = name_in(key);
      if constexpr (KeyedValue<Entry>) {
        using Value = ValueMember<Entry>;
        read_part(key, entry, read_in.*Value::pointer, Value::range);
      } else {
        read_part(key, entry, read_in);
      }
    }
  } else if constexpr (requires(Entry entry) { entry.first; }) {
    for (const auto& [key, entry] : object_in(value)) {
      list.emplace_back().first = name_in(key);
      read_part(key, entry, list.back().second, range);
    }
  } else {
    for (const boost::json::value& entry : array_in(value)) {
      const std::size_t index = list.size();
      read_part(index, entry, list.emplace_back(), range);
    }
  }
}

template <typename Value>
void read_list(const boost::json::value& value, std::map<std::string, Value>& map,
               const Range& range) {
  for (const auto& [key, entry] : object_in(value)) {
    read_part(key, entry, map[name_in(key)], range);
  }
}

template <typename Array>
void read_table(const boost::json::value& value, Array& table, const Range& range) {
  ObjectReader reader(value);
  for (std::size_t i = 0; i < table.size(); ++i) {
    reader(EntryNames<Array>::names[i], table[i], range);
  }
  reader.finish();
}

}  // namespace detail

template <typename T>
void read(const boost::json::value& value, T& field, const Range& range) {
  if constexpr (std::is_enum_v<T>) {
    detail::read_name(value, field);
  } else if constexpr (std::is_same_v<T, bool>) {
    field = truth_in(value);
  } else if constexpr (std::is_integral_v<T>) {
    field = detail::whole_number_in<T>(value);
    require_in(static_cast<double>(field), range);
  } else if constexpr (std::is_floating_point_v<T>) {
    field = number_in(value);
    require_in(field, range);
  } else if constexpr (std::is_same_v<T, std::string>) {
    field = text_in(value);
    require_length(field, range);
  } else if constexpr (Described<T>) {
    ObjectReader reader(value);
    reader.members(field);
    reader.finish();
  } else if constexpr (requires { EntryNames<T>::names; }) {
    detail::read_table(value, field, range);
  } else if constexpr (InColumns<typename T::value_type>) {
    detail::read_columns(value, field);
  } else {
    detail::read_list(value, field, range);
  }
}

}  // namespace trilane
