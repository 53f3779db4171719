#include "common/base/json/form.hpp"

#include <fmt/ranges.h>

#include <algorithm>
#include <boost/json/array.hpp>
#include <cmath>
#include <limits>
#include <type_traits>

#include "common/base/json/json_values.hpp"
#include "common/base/json/misfit.hpp"

namespace trilane {

namespace json = boost::json;

namespace detail {

namespace {

/// Returns the address of an entry.
void* entry_in(void* entries, std::size_t index, std::size_t stride) {
  return static_cast<char*>(entries) + index * stride;
}
const void* entry_in(const void* entries, std::size_t index, std::size_t stride) {
  return static_cast<const char*>(entries) + index * stride;
}

/// Returns an entry of a list as if it could change: its functions serve reading, too.
void* writable(const void* value) { return const_cast<void*>(value); }

/// Adds an entry. Throws a Misfit if the object already has that name.
void add(json::object& object, const std::string& name, json::value value) {
  if (!object.emplace(readable(name, name_range), std::move(value)).second) {
    misfit(fmt::format("has the name {} twice", in_quotes(name)));
  }
}

void write_member(json::object& object, const char* key, const Form& form, const void* value,
                  const Range& range) {
  within(std::string_view(key), [&] { object[key] = form.write(value, range); });
}

/// Reads the value with that key or index, which becomes part of a Misfit's place.
template <typename Part>
void read_part(const Part& part, const json::value& from, const Form& form, void* value,
               const Range& range) {
  within(part, [&] { form.read(from, value, range); });
}

/// An object with named members, as a schema.
class ObjectSchema {
 public:
  void add(const char* key, json::object schema, bool required = true) {
    properties_[key] = std::move(schema);
    if (required) required_.emplace_back(key);
  }

  json::object take() {
    return {{"type", "object"},
            {"properties", std::move(properties_)},
            {"required", std::move(required_)},
            {"additionalProperties", false}};
  }

 private:
  json::object properties_;
  json::array required_;
};

/// An object whose members have any names.
json::object schema_of_map(json::object values) {
  return {{"type", "object"},
          {"propertyNames", TextForm{}.schema(name_range)},
          {"additionalProperties", std::move(values)}};
}

json::object schema_of_array(json::object items) {
  return {{"type", "array"}, {"items", std::move(items)}};
}

template <typename Integer>
Integer whole_number_in(const json::value& value) {
  using Limits = std::numeric_limits<Integer>;
  boost::system::error_code error;
  const auto number = value.to_number<Integer>(error);
  if (value.is_double() || error) {
    misfit(fmt::format("is not a whole number from {} to {}", Limits::min(), Limits::max()), value);
  }
  return number;
}

void require_in(double number, const Range& range) {
  if (number >= range.least && number <= range.most) return;
  misfit(fmt::format("is {} and must be from {} to {}", number, range.least, range.most));
}

constexpr Range unlimited{};

}  // namespace

json::value TruthForm::write(const void* value, const Range&) const { return as<bool>(value); }

void TruthForm::read(const json::value& from, void* value, const Range&) const {
  as<bool>(value) = truth_in(from);
}

json::object TruthForm::schema(const Range&) const { return {{"type", "boolean"}}; }

template <typename Number>
json::value NumberForm<Number>::write(const void* value, const Range&) const {
  const Number number = as<Number>(value);
  if constexpr (std::is_floating_point_v<Number>) {
    if (!std::isfinite(number)) misfit(fmt::format("is {}, which JSON cannot hold", number));
  }
  return number;
}

template <typename Number>
void NumberForm<Number>::read(const json::value& from, void* value, const Range& range) const {
  Number& number = as<Number>(value);
  if constexpr (std::is_floating_point_v<Number>) {
    number = number_in(from);
  } else {
    number = whole_number_in<Number>(from);
  }
  require_in(static_cast<double>(number), range);
}

template <typename Number>
json::object NumberForm<Number>::schema(const Range& range) const {
  using Limits = std::numeric_limits<Number>;
  const Number least = range.least > static_cast<double>(Limits::lowest())
                           ? static_cast<Number>(range.least)
                           : Limits::lowest();
  const Number most = range.most < static_cast<double>(Limits::max())
                          ? static_cast<Number>(range.most)
                          : Limits::max();
  return {{"type", std::is_integral_v<Number> ? "integer" : "number"},
          {"minimum", least},
          {"maximum", most}};
}

template class NumberForm<double>;
template class NumberForm<int>;
template class NumberForm<std::int64_t>;
template class NumberForm<std::uint32_t>;
template class NumberForm<std::uint64_t>;

json::value TextForm::write(const void* value, const Range& range) const {
  return readable(as<std::string>(value), range);
}

void TextForm::read(const json::value& from, void* value, const Range& range) const {
  as<std::string>(value) = text_in(from);
  require_length(as<std::string>(value), range);
}

json::object TextForm::schema(const Range& range) const {
  return {{"type", "string"}, {"maxLength", static_cast<std::uint64_t>(range.most)}};
}

json::value EnumForm::write(const void* value, const Range&) const {
  return json::string(name(get(value)));
}

void EnumForm::read(const json::value& from, void* value, const Range&) const {
  const std::string wanted = text_in(from);
  std::vector<std::string> names;
  for (std::size_t place = 0; place < count; ++place) {
    if (name(place) == wanted) return set(value, place);
    names.emplace_back(name(place));
  }
  misfit(fmt::format("is not one of \"{}\"", fmt::join(names, "\", \"")), from);
}

json::object EnumForm::schema(const Range&) const {
  json::array names;
  for (std::size_t place = 0; place < count; ++place) names.emplace_back(name(place));
  return {{"enum", std::move(names)}};
}

void RecordForm::write_members(json::object& object, const void* record) const {
  for (const Field& field : fields) {
    const void* value = field.in(writable(record));
    if (field.optional != nullptr) value = field.optional->get(value);
    if (value != nullptr) write_member(object, field.name, *field.form, value, field.range);
  }
  if (derived == nullptr) return;
  const auto [key, value] = derived(record);
  write_member(object, key, NumberForm<std::uint32_t>{}, &value, unlimited);
}

json::value RecordForm::write(const void* value, const Range&) const {
  json::object object;
  write_members(object, value);
  return object;
}

void RecordForm::read_members(ObjectReader& reader, void* record) const {
  for (const Field& field : fields) {
    void* value = field.in(record);
    if (field.optional != nullptr) {
      if (!reader.contains(field.name)) continue;
      value = field.optional->emplace(value);
    }
    read_part(std::string_view(field.name), reader.at(field.name), *field.form, value, field.range);
  }
  if (derived != nullptr) {
    const auto [key, wanted] = derived(record);
    std::uint32_t found = 0;
    read_part(std::string_view(key), reader.at(key), NumberForm<std::uint32_t>{}, &found,
              unlimited);
    if (found != wanted) {
      throw Misfit{step(std::string_view(key)), fmt::format("is {} but must be {}", found, wanted)};
    }
  }
  if (check != nullptr) check(record);
}

void RecordForm::read(const json::value& from, void* value, const Range&) const {
  ObjectReader reader(from);
  read_members(reader, value);
  reader.finish();
}

json::object RecordForm::schema(const Range&) const { return schema_after({}); }

json::object RecordForm::schema_after(
    std::vector<std::pair<const char*, json::object>> header) const {
  ObjectSchema object;
  for (auto& [key, value] : header) object.add(key, std::move(value));
  for (const Field& field : fields) {
    object.add(field.name, field.form->schema(field.range), field.optional == nullptr);
  }
  if (derived != nullptr) {
    object.add(derived(nullptr).first, NumberForm<std::uint32_t>{}.schema(unlimited));
  }
  return object.take();
}

json::value ListForm::write(const void* value, const Range& range) const {
  json::array array;
  const std::size_t size = list.size(value);
  for (std::size_t i = 0; i < size; ++i) {
    within(i, [&] {
      array.push_back(entry->write(entry_in(list.data(value), i, list.stride), range));
    });
  }
  return array;
}

void ListForm::read(const json::value& from, void* value, const Range& range) const {
  const json::array& array = array_in(from);
  void* const entries = list.resize(value, array.size());
  for (std::size_t i = 0; i < array.size(); ++i) {
    read_part(i, array[i], *entry, entry_in(entries, i, list.stride), range);
  }
}

json::object ListForm::schema(const Range& range) const {
  return schema_of_array(entry->schema(range));
}

json::value ColumnsForm::write(const void* value, const Range&) const {
  json::object columns;
  const std::size_t size = list.size(value);
  for (const Field& field : fields) {
    json::array& column = columns[field.name].emplace_array();
    within(std::string_view(field.name), [&] {
      for (std::size_t i = 0; i < size; ++i) {
        void* const entry = writable(entry_in(list.data(value), i, list.stride));
        column.push_back(field.form->write(field.in(entry), field.range));
      }
    });
  }
  return columns;
}

void ColumnsForm::read(const json::value& from, void* value, const Range&) const {
  ObjectReader columns(from);
  std::optional<std::size_t> length;
  for (const Field& field : fields) {
    const json::value& found = columns.at(field.name);
    within(std::string_view(field.name), [&] {
      const json::array& column = array_in(found);
      if (length.value_or(column.size()) != column.size()) {
        misfit(fmt::format("has {} entries, another column {}", column.size(), *length));
      }
      length = column.size();
      void* const entries = list.resize(value, *length);
      for (std::size_t i = 0; i < *length; ++i) {
        read_part(i, column[i], *field.form, field.in(entry_in(entries, i, list.stride)),
                  field.range);
      }
    });
  }
  columns.finish();
}

json::object ColumnsForm::schema(const Range&) const {
  ObjectSchema object;
  for (const Field& field : fields) {
    object.add(field.name, schema_of_array(field.form->schema(field.range)));
  }
  return object.take();
}

json::value NamedForm::write(const void* value, const Range& range) const {
  json::object object;
  const std::size_t size = list.size(value);
  for (std::size_t i = 0; i < size; ++i) {
    void* const entry = writable(entry_in(list.data(value), i, list.stride));
    add(object, name(entry), form->write(in(entry), own ? *own : range));
  }
  return object;
}

void NamedForm::read(const json::value& from, void* value, const Range& range) const {
  const json::object& object = object_in(from);
  void* const entries = list.resize(value, object.size());
  std::size_t index = 0;
  for (const auto& [key, part] : object) {
    void* const entry = entry_in(entries, index++, list.stride);
    name(entry) = name_in(key);
    read_part(std::string_view(key), part, *form, in(entry), own ? *own : range);
  }
}

json::object NamedForm::schema(const Range& range) const {
  return schema_of_map(form->schema(own ? *own : range));
}

json::value MapForm::write(const void* value, const Range& range) const {
  json::object object;
  each(value, [&](const std::string& name, const void* part) {
    add(object, name, form->write(part, range));
  });
  return object;
}

void MapForm::read(const json::value& from, void* value, const Range& range) const {
  for (const auto& [key, part] : object_in(from)) {
    read_part(std::string_view(key), part, *form, at(value, name_in(key)), range);
  }
}

json::object MapForm::schema(const Range& range) const {
  return schema_of_map(form->schema(range));
}

json::value TableForm::write(const void* value, const Range& range) const {
  json::object object;
  for (std::size_t i = 0; i < names.size(); ++i) {
    write_member(object, names[i], *entry, entry_in(value, i, stride), range);
  }
  return object;
}

void TableForm::read(const json::value& from, void* value, const Range& range) const {
  ObjectReader reader(from);
  for (std::size_t i = 0; i < names.size(); ++i) {
    read_part(std::string_view(names[i]), reader.at(names[i]), *entry, entry_in(value, i, stride),
              range);
  }
  reader.finish();
}

json::object TableForm::schema(const Range& range) const {
  ObjectSchema object;
  for (const char* const name : names) object.add(name, entry->schema(range));
  return object.take();
}

}  // namespace detail

}  // namespace trilane
