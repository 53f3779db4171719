// Writes records as JSON values.
#pragma once

#include <fmt/format.h>

#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <boost/json/value.hpp>
#include <cmath>
#include <optional>
#include <string>
#include <vector>

#include "common/base/json/members.hpp"
#include "common/base/json/misfit.hpp"

namespace trilane {

/// Returns the text in a form that can be read again, see printable(): a command line may contain
/// any byte, a message may have any length.
inline boost::json::string readable(std::string_view text, const Range& range) {
  return boost::json::string(printable(text, static_cast<std::size_t>(range.most)));
}

/// Returns the value as JSON:
/// - a record as an object of its present members,
/// - an enumerator as its name_of(),
/// - a list as an array, as an object if its entries are Keyed, or as an object of columns.
/// Throws a Misfit, with the place, on values that JSON cannot represent: it has no infinity and no
/// NaN.
template <typename T>
boost::json::value value_of(const T& field, const Range& range = range_of_type<T>());

namespace detail {

/// Adds an entry. Throws a Misfit if the object already has that name.
inline void add(boost::json::object& object, const std::string& name, boost::json::value value) {
  if (!object.emplace(readable(name, name_range), std::move(value)).second) {
    misfit(fmt::format("has the name {} twice", in_quotes(name)));
  }
}

void write_member(boost::json::object& object, const char* key, const auto& field,
                  const Range& range) {
  within(std::string_view(key), [&] { object[key] = value_of(field, range); });
}

template <typename Field>
void write_member(boost::json::object& object, const char* key, const std::optional<Field>& field,
                  const Range& range) {
  if (field) write_member(object, key, *field, range);
}

template <Described Record>
void write_members(boost::json::object& object, const Record& record) {
  for_each_member<Record>([&](auto member) {
    write_member(object, member.name, record.*member.pointer, member.range);
  });
}

template <Described Record>
boost::json::value record_value(const Record& record) {
  boost::json::object object;
  write_members(object, record);
  if constexpr (requires { derived_key(record); }) {
    const auto [key, value] = derived_key(record);
    write_member(object, key, value, {});
  }
  return object;
}

template <typename Record>
boost::json::value columns_of(const std::vector<Record>& records) {
  boost::json::object columns;
  for_each_member<Record>([&](auto member) {
    boost::json::array& column = columns[member.name].emplace_array();
    within(std::string_view(member.name), [&] {
      for (const Record& record : records) column.push_back(value_of(record.*member.pointer));
    });
  });
  return columns;
}

template <typename List>
boost::json::value list_value(const List& list, const Range& range) {
  using Entry = typename List::value_type;
  boost::json::object object;
  boost::json::array array;
  for (const auto& entry : list) {
    if constexpr (KeyedValue<Entry>) {
      using Value = ValueMember<Entry>;
      add(object, entry.*entry_key(entry), value_of(entry.*Value::pointer, Value::range));
    } else if constexpr (Keyed<Entry>) {
      add(object, entry.*entry_key(entry), record_value(entry));
    } else if constexpr (requires { entry.first; }) {
      add(object, entry.first, value_of(entry.second, range));
    } else {
      within(array.size(), [&] { array.push_back(value_of(entry, range)); });
    }
  }
  if constexpr (Keyed<Entry> || requires(Entry entry) { entry.first; }) return object;
  return array;
}

template <typename Array>
boost::json::value table_value(const Array& table, const Range& range) {
  boost::json::object object;
  for (std::size_t i = 0; i < table.size(); ++i) {
    write_member(object, EntryNames<Array>::names[i], table[i], range);
  }
  return object;
}

}  // namespace detail

template <typename T>
boost::json::value value_of(const T& field, const Range& range) {
  if constexpr (std::is_enum_v<T>) {
    return boost::json::string(name_of(field));
  } else if constexpr (std::is_floating_point_v<T>) {
    if (!std::isfinite(field)) misfit(fmt::format("is {}, which JSON cannot hold", field));
    return field;
  } else if constexpr (std::is_integral_v<T>) {
    return field;
  } else if constexpr (std::is_convertible_v<T, std::string>) {
    return readable(field, range);
  } else if constexpr (Described<T>) {
    return detail::record_value(field);
  } else if constexpr (requires { EntryNames<T>::names; }) {
    return detail::table_value(field, range);
  } else if constexpr (InColumns<typename T::value_type>) {
    return detail::columns_of(field);
  } else {
    return detail::list_value(field, range);
  }
}

}  // namespace trilane
