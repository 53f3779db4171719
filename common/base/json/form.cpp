#include "common/base/json/form.hpp"

#include <boost/json/array.hpp>
#include <boost/json/string.hpp>
#include <boost/json/value_from.hpp>

#include "common/base/json/json_values.hpp"
#include "common/base/json/misfit.hpp"

namespace trilane {

namespace json = boost::json;

namespace forms {

using detail::as;

namespace {

constexpr const Form& whole_form = form_of<std::uint32_t>;  // of derived keys

/// Returns the address of an entry, as if it could change: forms serve reading, too.
void* entry_in(const void* entries, std::size_t index, std::size_t stride) {
  return const_cast<char*>(static_cast<const char*>(entries)) + index * stride;
}

void add(json::object& object, const std::string& name, json::value value) {
  if (!object.emplace(readable(name, name_range), std::move(value)).second) {
    misfit("has the name {} twice", in_quotes(name));
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

json::object schema_of_array(json::object items) {
  return {{"type", "array"}, {"items", std::move(items)}};
}

// Each kind of form, in turn.

json::value written(const Truth&, const void* value, const Range&) { return as<bool>(value); }

void read_as(const Truth&, const json::value& from, void* value, const Range&) {
  as<bool>(value) = truth_in(from);
}

json::object schema_for(const Truth&, const Range&) { return {{"type", "boolean"}}; }

template <typename T>
json::value written(const Number<T>&, const void* value, const Range&) {
  const T number = as<T>(value);
  if constexpr (std::is_floating_point_v<T>) {
    if (!std::isfinite(number)) misfit("is {}, which JSON cannot hold", number);
  }
  return number;
}

template <typename T>
void read_as(const Number<T>&, const json::value& from, void* value, const Range& range) {
  T& number = as<T>(value);
  if constexpr (std::is_floating_point_v<T>) {
    number = number_in(from);
  } else {
    using Limits = std::numeric_limits<T>;
    boost::system::error_code error;
    number = from.to_number<T>(error);
    if (from.is_double() || error) {
      misfit(fmt::format("is not a whole number from {} to {}", Limits::min(), Limits::max()),
             from);
    }
  }
  require_in(static_cast<double>(number), range);
}

template <typename T>
json::object schema_for(const Number<T>&, const Range& range) {
  using Limits = std::numeric_limits<T>;
  const T least = range.least > static_cast<double>(Limits::lowest()) ? static_cast<T>(range.least)
                                                                      : Limits::lowest();
  const T most =
      range.most < static_cast<double>(Limits::max()) ? static_cast<T>(range.most) : Limits::max();
  return {{"type", std::is_integral_v<T> ? "integer" : "number"},
          {"minimum", least},
          {"maximum", most}};
}

json::value written(const Text&, const void* value, const Range& range) {
  return readable(as<std::string>(value), range);
}

void read_as(const Text&, const json::value& from, void* value, const Range& range) {
  as<std::string>(value) = text_in(from);
  require_length(as<std::string>(value), range);
}

json::object schema_for(const Text&, const Range& range) {
  return {{"type", "string"}, {"maxLength", static_cast<std::uint64_t>(range.most)}};
}

std::vector<std::string> names_of(const Enumeration& form) {
  std::vector<std::string> names;
  for (std::size_t place = 0; place < form.count; ++place) names.emplace_back(form.name(place));
  return names;
}

json::value written(const Enumeration& form, const void* value, const Range&) {
  return json::string(form.name(form.get(value)));
}

void read_as(const Enumeration& form, const json::value& from, void* value, const Range&) {
  const std::string name = text_in(from);
  const std::vector<std::string> names = names_of(form);
  const auto found = std::ranges::find(names, name);
  if (found == names.end()) {
    misfit(fmt::format("is not one of \"{}\"", fmt::join(names, "\", \"")), from);
  }
  form.set(value, static_cast<std::size_t>(found - names.begin()));
}

json::object schema_for(const Enumeration& form, const Range&) {
  return {{"enum", json::value_from(names_of(form))}};
}

json::value written(const Record& form, const void* value, const Range&) {
  json::object object;
  write_members(form, object, value);
  return object;
}

void read_as(const Record& form, const json::value& from, void* value, const Range&) {
  ObjectReader reader(from);
  read_members(form, reader, value);
  reader.finish();
}

json::object schema_for(const Record& form, const Range&) { return schema_of_members(form); }

json::value written(const List& form, const void* value, const Range& range) {
  json::array array;
  for (std::size_t i = 0; i < form.list.size(value); ++i) {
    within(i, [&] {
      array.push_back(
          form.entry->write(entry_in(form.list.data(value), i, form.list.stride), range));
    });
  }
  return array;
}

void read_as(const List& form, const json::value& from, void* value, const Range& range) {
  const json::array& array = array_in(from);
  for (std::size_t i = 0; i < array.size(); ++i) {
    // One by one, so that a long list of bad entries takes no memory.
    void* const entries = form.list.resize(value, i + 1);
    read_part(i, array[i], *form.entry, entry_in(entries, i, form.list.stride), range);
  }
}

json::object schema_for(const List& form, const Range& range) {
  return schema_of_array(form.entry->schema(range));
}

json::value written(const Columns& form, const void* value, const Range&) {
  json::object columns;
  for (const Field& field : form.fields) {
    json::array& column = columns[field.name].emplace_array();
    within(std::string_view(field.name), [&] {
      for (std::size_t i = 0; i < form.list.size(value); ++i) {
        void* const entry = entry_in(form.list.data(value), i, form.list.stride);
        column.push_back(field.form->write(field.in(entry), field.range));
      }
    });
  }
  return columns;
}

void read_as(const Columns& form, const json::value& from, void* value, const Range&) {
  ObjectReader columns(from);
  std::optional<std::size_t> length;
  for (const Field& field : form.fields) {
    const json::value& found = columns.at(field.name);
    within(std::string_view(field.name), [&] {
      const json::array& column = array_in(found);
      if (length.value_or(column.size()) != column.size()) {
        misfit("has {} entries, another column {}", column.size(), *length);
      }
      length = column.size();
      void* const entries = form.list.resize(value, *length);
      for (std::size_t i = 0; i < *length; ++i) {
        void* const entry = entry_in(entries, i, form.list.stride);
        read_part(i, column[i], *field.form, field.in(entry), field.range);
      }
    });
  }
  columns.finish();
}

json::object schema_for(const Columns& form, const Range&) {
  ObjectSchema object;
  for (const Field& field : form.fields) {
    object.add(field.name, schema_of_array(field.form->schema(field.range)));
  }
  return object.take();
}

json::object schema_of_named(json::object values) {
  return {{"type", "object"},
          {"propertyNames", form_of<std::string>.schema(name_range)},
          {"additionalProperties", std::move(values)}};
}

json::value written(const Named& form, const void* value, const Range& range) {
  json::object object;
  for (std::size_t i = 0; i < form.list.size(value); ++i) {
    void* const entry = entry_in(form.list.data(value), i, form.list.stride);
    add(object, form.name(entry), form.form->write(form.in(entry), form.own ? *form.own : range));
  }
  return object;
}

void read_as(const Named& form, const json::value& from, void* value, const Range& range) {
  std::size_t index = 0;
  for (const auto& [key, part] : object_in(from)) {
    void* const entry = entry_in(form.list.resize(value, index + 1), index, form.list.stride);
    ++index;
    form.name(entry) = name_in(key);
    read_part(std::string_view(key), part, *form.form, form.in(entry),
              form.own ? *form.own : range);
  }
}

json::object schema_for(const Named& form, const Range& range) {
  return schema_of_named(form.form->schema(form.own ? *form.own : range));
}

json::value written(const Map& form, const void* value, const Range& range) {
  json::object object;
  form.each(value, [&](const std::string& name, const void* part) {
    add(object, name, form.form->write(part, range));
  });
  return object;
}

void read_as(const Map& form, const json::value& from, void* value, const Range& range) {
  for (const auto& [key, part] : object_in(from)) {
    read_part(std::string_view(key), part, *form.form, form.at(value, name_in(key)), range);
  }
}

json::object schema_for(const Map& form, const Range& range) {
  return schema_of_named(form.form->schema(range));
}

json::value written(const Table& form, const void* value, const Range& range) {
  json::object object;
  for (std::size_t i = 0; i < form.names.size(); ++i) {
    write_member(object, form.names[i], *form.entry, entry_in(value, i, form.stride), range);
  }
  return object;
}

void read_as(const Table& form, const json::value& from, void* value, const Range& range) {
  ObjectReader reader(from);
  for (std::size_t i = 0; i < form.names.size(); ++i) {
    const std::string_view name = form.names[i];
    read_part(name, reader.at(name), *form.entry, entry_in(value, i, form.stride), range);
  }
  reader.finish();
}

json::object schema_for(const Table& form, const Range& range) {
  ObjectSchema object;
  for (const char* const name : form.names) object.add(name, form.entry->schema(range));
  return object.take();
}

}  // namespace

void write_members(const Record& form, json::object& object, const void* record) {
  for (const Field& field : form.fields) {
    const void* value = field.in(const_cast<void*>(record));
    if (field.optional != nullptr) value = field.optional->get(value);
    if (value != nullptr) write_member(object, field.name, *field.form, value, field.range);
  }
  if (form.derived == nullptr) return;
  const auto [key, value] = form.derived(record);
  write_member(object, key, whole_form, &value, {});
}

void read_members(const Record& form, ObjectReader& reader, void* record) {
  for (const Field& field : form.fields) {
    void* value = field.in(record);
    if (field.optional != nullptr) {
      if (!reader.contains(field.name)) continue;
      value = field.optional->emplace(value);
    }
    read_part(std::string_view(field.name), reader.at(field.name), *field.form, value, field.range);
  }
  if (form.derived != nullptr) {
    const auto [key, wanted] = form.derived(record);
    std::uint32_t found = 0;
    read_part(std::string_view(key), reader.at(key), whole_form, &found, {});
    if (found != wanted) {
      throw Misfit{step(std::string_view(key)), fmt::format("is {} but must be {}", found, wanted)};
    }
  }
  if (form.check != nullptr) form.check(record);
}

json::object schema_of_members(const Record& form,
                               std::vector<std::pair<const char*, json::object>> header) {
  ObjectSchema object;
  for (auto& [key, value] : header) object.add(key, std::move(value));
  for (const Field& field : form.fields) {
    object.add(field.name, field.form->schema(field.range), field.optional == nullptr);
  }
  if (form.derived != nullptr) object.add(form.derived(nullptr).first, whole_form.schema({}));
  return object.take();
}

}  // namespace forms

json::value Form::write(const void* value, const Range& range) const {
  return std::visit([&](const auto& form) { return forms::written(form, value, range); }, kind);
}

void Form::read(const json::value& from, void* value, const Range& range) const {
  std::visit([&](const auto& form) { forms::read_as(form, from, value, range); }, kind);
}

json::object Form::schema(const Range& range) const {
  return std::visit([&](const auto& form) { return forms::schema_for(form, range); }, kind);
}

}  // namespace trilane
