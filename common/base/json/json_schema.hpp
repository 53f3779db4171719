// The JSON Schema of a file, from the record that it holds: types, names, ranges and lengths, but
// no rules between members.
#pragma once

#include <boost/json/value_from.hpp>
#include <limits>
#include <string>

#include "common/base/json/document.hpp"
#include "common/base/text/enumerators.hpp"

namespace trilane {

namespace detail {

/// Returns the schema of what value_of() writes for a `T`.
template <typename T>
boost::json::object schema_of_type(const Range& range = range_of_type<T>());

template <typename Number>
boost::json::object schema_of_number(const char* type, const Range& range) {
  using Limits = std::numeric_limits<Number>;
  const Number least = range.least > static_cast<double>(Limits::lowest())
                           ? static_cast<Number>(range.least)
                           : Limits::lowest();
  const Number most = range.most < static_cast<double>(Limits::max())
                          ? static_cast<Number>(range.most)
                          : Limits::max();
  return {{"type", type}, {"minimum", least}, {"maximum", most}};
}

/// An object with named members.
class ObjectSchema {
 public:
  void add(const char* key, boost::json::object schema, bool required = true) {
    properties_[key] = std::move(schema);
    if (required) required_.emplace_back(key);
  }

  template <Described Record>
  void add_members() {
    for_each_member<Record>([&](auto member) {
      using Field = typename decltype(member)::Field;
      if constexpr (requires(Field field) { field.has_value(); }) {
        add(member.name, schema_of_type<typename Field::value_type>(member.range), false);
      } else {
        add(member.name, schema_of_type<Field>(member.range));
      }
    });
    if constexpr (requires(const Record& record) { derived_key(record); }) {
      const auto [key, value] = derived_key(Record{});
      add(key, schema_of_type<std::remove_cv_t<decltype(value)>>());
    }
  }

  boost::json::object take() {
    return {{"type", "object"},
            {"properties", std::move(properties_)},
            {"required", std::move(required_)},
            {"additionalProperties", false}};
  }

 private:
  boost::json::object properties_;
  boost::json::array required_;
};

template <Described Record>
boost::json::object schema_of_record() {
  ObjectSchema schema;
  schema.add_members<Record>();
  return schema.take();
}

/// An object whose members have any names.
inline boost::json::object schema_of_map(boost::json::object values) {
  return {{"type", "object"},
          {"propertyNames", schema_of_type<std::string>(name_range)},
          {"additionalProperties", std::move(values)}};
}

inline boost::json::object schema_of_array(boost::json::object items) {
  return {{"type", "array"}, {"items", std::move(items)}};
}

template <typename Record>
boost::json::object schema_of_columns() {
  ObjectSchema schema;
  for_each_member<Record>([&](auto member) {
    using Field = typename decltype(member)::Field;
    schema.add(member.name, schema_of_array(schema_of_type<Field>(member.range)));
  });
  return schema.take();
}

template <typename List>
boost::json::object schema_of_list(const Range& range) {
  using Entry = typename List::value_type;
  if constexpr (InColumns<Entry>) {
    return schema_of_columns<Entry>();
  } else if constexpr (KeyedValue<Entry>) {
    using Value = ValueMember<Entry>;
    return schema_of_map(schema_of_type<typename Value::Field>(Value::range));
  } else if constexpr (Keyed<Entry>) {
    return schema_of_map(schema_of_record<Entry>());
  } else if constexpr (requires(Entry entry) { entry.first; }) {
    return schema_of_map(schema_of_type<typename Entry::second_type>(range));
  } else {
    return schema_of_array(schema_of_type<Entry>(range));
  }
}

template <typename T>
boost::json::object schema_of_type(const Range& range) {
  if constexpr (std::is_enum_v<T>) {
    return {{"enum", boost::json::value_from(all_names<T>())}};
  } else if constexpr (std::is_same_v<T, bool>) {
    return {{"type", "boolean"}};
  } else if constexpr (std::is_integral_v<T>) {
    return schema_of_number<T>("integer", range);
  } else if constexpr (std::is_floating_point_v<T>) {
    return schema_of_number<T>("number", range);
  } else if constexpr (std::is_same_v<T, std::string>) {
    return {{"type", "string"}, {"maxLength", static_cast<std::uint64_t>(range.most)}};
  } else if constexpr (Described<T>) {
    return schema_of_record<T>();
  } else if constexpr (requires { EntryNames<T>::names; }) {
    ObjectSchema schema;
    for (std::size_t i = 0; i < std::tuple_size_v<T>; ++i) {
      schema.add(EntryNames<T>::names[i], schema_of_type<typename T::value_type>(range));
    }
    return schema.take();
  } else {
    return schema_of_list<T>(range);
  }
}

}  // namespace detail

/// Returns the JSON Schema, draft 2020-12, of what document_of() writes.
template <Described Record>
boost::json::object json_schema_of(const Schema& schema) {
  detail::ObjectSchema file;
  file.add("schema", {{"const", schema.name}});
  file.add("schema_version", detail::schema_of_number<std::uint32_t>(
                                 "integer", {static_cast<double>(schema.oldest),
                                             static_cast<double>(schema.version)}));
  file.add_members<Record>();
  boost::json::object found{{"$schema", "https://json-schema.org/draft/2020-12/schema"}};
  for (auto& [key, value] : file.take()) found[key] = std::move(value);
  return found;
}

}  // namespace trilane
