// Writes records as JSON values.
#pragma once

#include <fmt/format.h>

#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <boost/json/value.hpp>
#include <optional>
#include <string>
#include <vector>

#include "common/json/members.hpp"
#include "common/json/misfit.hpp"

namespace trilane {

/// Replaces bytes that are not UTF-8, as a command line may contain, by U+FFFD, because JSON holds
/// UTF-8 only.
boost::json::string utf8(const std::string& text);

/// The number itself. Throws a Misfit unless it is finite: JSON has no infinity and no NaN.
double finite(double number);

/// Adds an entry. Throws a Misfit if the object has that name already.
void add(boost::json::object& object, const std::string& name, boost::json::value value);

/// The value as JSON: a record as an object of its members without the absent ones, an enumerator
/// as its name_of(), a list as an array, as an object if its entries are Keyed, or as an object of
/// columns. Throws a Misfit, with the place, on what JSON cannot hold.
template <typename T>
boost::json::value value_of(const T& field);

namespace detail {

void write_member(boost::json::object& object, const char* key, const auto& field) {
  within(key, [&] { object[key] = value_of(field); });
}

template <typename Field>
void write_member(boost::json::object& object, const char* key, const std::optional<Field>& field) {
  if (field) write_member(object, key, *field);
}

template <Described Record>
boost::json::value record_value(const Record& record) {
  boost::json::object object;
  for_each_member<Record>(
      [&](const char* key, auto member) { write_member(object, key, record.*member); });
  if constexpr (requires { derived_key(record); }) {
    const auto [key, value] = derived_key(record);
    write_member(object, key, value);
  }
  return object;
}

/// An entry with one member besides its key is written as that member.
template <Keyed Entry>
boost::json::value value_under_key(const Entry& entry) {
  if constexpr (boost::mp11::mp_size<FileMembers<Entry>>::value == 1) {
    return value_of(entry.*boost::mp11::mp_front<FileMembers<Entry>>::pointer);
  } else {
    return record_value(entry);
  }
}

template <typename Record>
boost::json::value columns_of(const std::vector<Record>& records) {
  boost::json::object columns;
  for_each_member<Record>([&](const char* key, auto member) {
    boost::json::array& column = columns[key].emplace_array();
    within(key, [&] {
      for (const Record& record : records) column.push_back(value_of(record.*member));
    });
  });
  return columns;
}

template <typename List>
boost::json::value list_value(const List& list) {
  using Entry = typename List::value_type;
  boost::json::object object;
  boost::json::array array;
  for (const auto& entry : list) {
    if constexpr (Keyed<Entry>) {
      add(object, entry.*entry_key(entry), value_under_key(entry));
    } else if constexpr (requires { entry.first; }) {
      add(object, entry.first, value_of(entry.second));
    } else {
      within(array.size(), [&] { array.push_back(value_of(entry)); });
    }
  }
  if constexpr (Keyed<Entry> || requires(Entry entry) { entry.first; }) return object;
  return array;
}

template <typename Array>
boost::json::value table_value(const Array& table) {
  boost::json::object object;
  for (std::size_t i = 0; i < table.size(); ++i) {
    write_member(object, EntryNames<Array>::names[i], table[i]);
  }
  return object;
}

}  // namespace detail

template <typename T>
boost::json::value value_of(const T& field) {
  if constexpr (std::is_enum_v<T>) {
    return utf8(name_of(field));
  } else if constexpr (std::is_floating_point_v<T>) {
    return finite(field);
  } else if constexpr (std::is_integral_v<T>) {
    return field;
  } else if constexpr (std::is_convertible_v<T, std::string>) {
    return utf8(field);
  } else if constexpr (Described<T>) {
    return detail::record_value(field);
  } else if constexpr (requires { EntryNames<T>::names; }) {
    return detail::table_value(field);
  } else if constexpr (InColumns<typename T::value_type>) {
    return detail::columns_of(field);
  } else {
    return detail::list_value(field);
  }
}

}  // namespace trilane
