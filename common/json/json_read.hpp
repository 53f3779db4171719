// Reads records from JSON values.
#pragma once

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <boost/json/value.hpp>
#include <limits>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "common/json/members.hpp"
#include "common/json/misfit.hpp"

namespace trilane {

/// The value as the type in the function's name. Each throws a Misfit that shows the value.
const boost::json::object& object_in(const boost::json::value& value);
const boost::json::array& array_in(const boost::json::value& value);
bool truth_in(const boost::json::value& value);
double number_in(const boost::json::value& value);  ///< finite
std::string text_in(const boost::json::value& value);
/// A whole number from 0 to `most`.
std::uint64_t whole_number_in(const boost::json::value& value, std::uint64_t most);

/// Throws a Misfit, without a place, that says what is wrong with the value and shows it, cut if
/// long: "is not a number: an object".
[[noreturn]] void misfit(const std::string& what, const boost::json::value& value);

/// Reads what value_of() wrote into `field`. Throws a Misfit with the place inside the value.
template <typename T>
void read(const boost::json::value& value, T& field);

/// Reads the value of that key or index, which becomes part of a Misfit's place.
template <typename Part, typename T>
void read_part(const Part& part, const boost::json::value& value, T& field) {
  within(part, [&] { read(value, field); });
}

/// Reads an object as the members of a record. Every member must be present, and no other key.
class ObjectReader {
 public:
  explicit ObjectReader(const boost::json::value& value) : object_(object_in(value)) {}

  /// The value of the key, which must be present.
  const boost::json::value& at(std::string_view key);

  template <typename Field>
  void operator()(std::string_view key, Field& field) {
    read_part(key, at(key), field);
  }

  /// An absent value has no key.
  template <typename Field>
  void operator()(std::string_view key, std::optional<Field>& field) {
    if (object_.contains(key)) (*this)(key, field.emplace());
  }

  template <Described Record>
  void members(Record& record);

  /// Throws a Misfit if there are keys that were not read.
  void finish() const;

 private:
  const boost::json::object& object_;
  std::vector<std::string_view> keys_;
};

template <Described Record>
void ObjectReader::members(Record& record) {
  for_each_member<Record>([&](const char* key, auto member) { (*this)(key, record.*member); });
  if constexpr (requires { derived_key(record); }) {
    const auto [key, wanted] = derived_key(record);
    auto found = wanted;
    (*this)(key, found);
    if (found != wanted) {
      throw Misfit{step(key), fmt::format("is {} but must be {}", found, wanted)};
    }
  }
}

namespace detail {

template <typename Enum>
void read_name(const boost::json::value& value, Enum& field) {
  const std::string name = text_in(value);
  std::vector<std::string> names;
  for (int i = 0; *name_of(static_cast<Enum>(i)) != '\0'; ++i) {
    names.emplace_back(name_of(static_cast<Enum>(i)));
    if (names.back() != name) continue;
    field = static_cast<Enum>(i);
    return;
  }
  misfit(fmt::format("is not one of \"{}\"", fmt::join(names, "\", \"")), value);
}

template <Described Record>
void read_record(const boost::json::value& value, Record& record) {
  ObjectReader reader(value);
  reader.members(record);
  reader.finish();
}

template <Described Record>
void read_columns(const boost::json::value& value, std::vector<Record>& records) {
  ObjectReader columns(value);
  std::optional<std::size_t> length;
  for_each_member<Record>([&](const char* key, auto member) {
    const boost::json::value& found = columns.at(key);
    within(key, [&] {
      const boost::json::array& column = array_in(found);
      if (length.value_or(column.size()) != column.size()) {
        misfit(fmt::format("has {} entries, another column {}", column.size(), *length));
      }
      length = column.size();
      records.resize(*length);
      for (std::size_t i = 0; i < *length; ++i) read_part(i, column[i], records[i].*member);
    });
  });
  columns.finish();
}

template <typename Entry>
void read_list(const boost::json::value& value, std::vector<Entry>& list) {
  if constexpr (Keyed<Entry>) {
    for (const auto& [key, entry] : object_in(value)) {
      Entry& read_in = list.emplace_back();
      read_in.*entry_key(read_in) = std::string(key);
      if constexpr (boost::mp11::mp_size<FileMembers<Entry>>::value == 1) {
        read_part(key, entry, read_in.*boost::mp11::mp_front<FileMembers<Entry>>::pointer);
      } else {
        read_part(key, entry, read_in);
      }
    }
  } else if constexpr (requires(Entry entry) { entry.first; }) {
    for (const auto& [key, entry] : object_in(value)) {
      list.emplace_back().first = std::string(key);
      read_part(key, entry, list.back().second);
    }
  } else {
    for (const boost::json::value& entry : array_in(value)) {
      const std::size_t index = list.size();
      read_part(index, entry, list.emplace_back());
    }
  }
}

template <typename Value>
void read_list(const boost::json::value& value, std::map<std::string, Value>& map) {
  for (const auto& [key, entry] : object_in(value)) read_part(key, entry, map[std::string(key)]);
}

template <typename Array>
void read_table(const boost::json::value& value, Array& table) {
  ObjectReader reader(value);
  for (std::size_t i = 0; i < table.size(); ++i) reader(EntryNames<Array>::names[i], table[i]);
  reader.finish();
}

}  // namespace detail

template <typename T>
void read(const boost::json::value& value, T& field) {
  if constexpr (std::is_enum_v<T>) {
    detail::read_name(value, field);
  } else if constexpr (std::is_same_v<T, bool>) {
    field = truth_in(value);
  } else if constexpr (std::is_integral_v<T>) {
    constexpr auto most = static_cast<std::uint64_t>(std::numeric_limits<T>::max());
    field = static_cast<T>(whole_number_in(value, most));
  } else if constexpr (std::is_floating_point_v<T>) {
    field = number_in(value);
  } else if constexpr (std::is_same_v<T, std::string>) {
    field = text_in(value);
  } else if constexpr (Described<T>) {
    detail::read_record(value, field);
  } else if constexpr (requires { EntryNames<T>::names; }) {
    detail::read_table(value, field);
  } else if constexpr (InColumns<typename T::value_type>) {
    detail::read_columns(value, field);
  } else {
    detail::read_list(value, field);
  }
}

}  // namespace trilane
