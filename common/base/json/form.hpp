// Descriptions of C++ types, from which values are read from files, written to them and listed in
// their schemas by the same code for all records.
#pragma once

#include <boost/json/object.hpp>
#include <boost/json/value.hpp>
#include <concepts>

#include "common/base/json/members.hpp"
#include "common/base/text/enumerators.hpp"

namespace trilane {

class ObjectReader;

struct Form;

/// The kinds of forms. A value is passed by its address.
namespace forms {

struct Truth {};

template <typename T>
struct Number {};

struct Text {};

/// An enumerator stands in the file as its name_of().
struct Enumeration {
  std::size_t count;
  const char* (*name)(std::size_t place);
  std::size_t (*get)(const void* value);
  void (*set)(void* value, std::size_t place);
};

/// An optional value: `get` returns null if it is absent.
struct Optional {
  const void* (*get)(const void* optional);
  void* (*emplace)(void* optional);
};

/// A member of a record, with the form of its value; an absent value has no key.
struct Field {
  const char* name;
  Range range;
  void* (*in)(void* record);
  const Form* form;
  const Optional* optional;  ///< null if the value is always present
};

/// A record stands in the file as an object of its present members.
struct Record {
  std::span<const Field> fields;
  /// Throws a Misfit if members contradict each other; null if the header has no cross_check().
  void (*check)(const void* record);
  /// Returns the derived_key() of the record, or of a new one for null; may itself be null.
  std::pair<const char*, std::uint32_t> (*derived)(const void* record);
};

/// The functions of a vector. `resize` returns the address of the entries.
struct Vector {
  std::size_t stride;
  std::size_t (*size)(const void* list);
  const void* (*data)(const void* list);
  void* (*resize)(void* list, std::size_t size);
};

/// A list stands in the file as an array.
struct List {
  Vector list;
  const Form* entry;
};

/// A list of records that are InColumns stands in the file as an object of columns.
struct Columns {
  Vector list;
  std::span<const Field> fields;
};

/// A list of Keyed records, or of pairs, stands in the file as an object.
struct Named {
  Vector list;
  std::string& (*name)(void* entry);
  void* (*in)(void* entry);  ///< the value of an entry
  const Form* form;
  const Range* own;  ///< the value's range; null for that of the list
};

/// A map from names stands in the file as an object. `at` adds the name if it is new.
struct Map {
  void (*each)(const void* map,
               const std::function<void(const std::string& name, const void* value)>& visit);
  void* (*at)(void* map, std::string name);
  const Form* form;
};

/// An array with EntryNames stands in the file as an object.
struct Table {
  std::span<const char* const> names;
  std::size_t stride;
  const Form* entry;
};

}  // namespace forms

/// The description of a type in files. The range applies to numbers and texts inside, except in
/// records, which have their own.
struct Form {
  std::variant<forms::Truth, forms::Number<double>, forms::Number<int>, forms::Number<std::int64_t>,
               forms::Number<std::uint8_t>, forms::Number<std::uint32_t>,
               forms::Number<std::uint64_t>, forms::Text, forms::Enumeration, forms::Record,
               forms::List, forms::Columns, forms::Named, forms::Map, forms::Table>
      kind;

  /// Returns the value as JSON. Throws a Misfit, with the place, on infinity and NaN.
  boost::json::value write(const void* value, const Range& range) const;
  /// Reads the output of write(). Throws a Misfit with the place inside the value.
  void read(const boost::json::value& from, void* value, const Range& range) const;
  /// Returns the JSON Schema of the output of write().
  boost::json::object schema(const Range& range) const;
};

namespace forms {

/// Write, read and describe a record's members in an object that also has the header of a file.
void write_members(const Record& form, boost::json::object& object, const void* record);
void read_members(const Record& form, ObjectReader& reader, void* record);
boost::json::object schema_of_members(
    const Record& form, std::vector<std::pair<const char*, boost::json::object>> header = {});

}  // namespace forms

namespace detail {

template <typename T>
constexpr Form form_of_type();

/// Casts of addresses.
template <typename T>
const T& as(const void* value) {
  return *static_cast<const T*>(value);
}
template <typename T>
T& as(void* value) {
  return *static_cast<T*>(value);
}

}  // namespace detail

/// The form of a type.
template <typename T>
inline constexpr Form form_of = detail::form_of_type<T>();

namespace detail {

template <typename T>
inline constexpr bool is_optional = false;
template <typename T>
inline constexpr bool is_optional<std::optional<T>> = true;

template <typename Value>
inline constexpr forms::Optional optional_of = {
    [](const void* optional) -> const void* {
      const auto& value = as<std::optional<Value>>(optional);
      return value ? &*value : nullptr;
    },
    [](void* optional) -> void* { return &as<std::optional<Value>>(optional).emplace(); }};

template <typename Record, typename Member>
constexpr forms::Field field_of() {
  using Type = typename Member::Field;
  forms::Field field{Member::name, Member::range,
                     [](void* record) -> void* { return &(as<Record>(record).*Member::pointer); },
                     nullptr, nullptr};
  if constexpr (is_optional<Type>) {
    field.form = &form_of<typename Type::value_type>;
    field.optional = &optional_of<typename Type::value_type>;
  } else {
    field.form = &form_of<Type>;
  }
  return field;
}

template <typename Record, typename Members>
struct Fields;
template <typename Record, template <typename...> typename Members, typename... Member>
struct Fields<Record, Members<Member...>> {
  static constexpr std::array<forms::Field, sizeof...(Member)> all{field_of<Record, Member>()...};
};
template <typename Record>
constexpr std::span<const forms::Field> fields_of() {
  return Fields<Record, FileMembers<Record>>::all;
}

template <typename Type>
constexpr forms::Record form_of_record() {
  forms::Record form{fields_of<Type>(), nullptr, nullptr};
  if constexpr (requires(const Type& record) { cross_check(record); }) {
    form.check = [](const void* record) { cross_check(as<Type>(record)); };
  }
  if constexpr (requires(const Type& record) { derived_key(record); }) {
    form.derived = [](const void* record) {
      if (record != nullptr) return derived_key(as<Type>(record));
      return derived_key(Type{});
    };
  }
  return form;
}

template <typename Enum>
constexpr forms::Enumeration form_of_enumeration() {
  return {enumerators<Enum>.size(),
          [](std::size_t place) -> const char* { return name_of(static_cast<Enum>(place)); },
          [](const void* value) { return static_cast<std::size_t>(as<Enum>(value)); },
          [](void* value, std::size_t place) { as<Enum>(value) = static_cast<Enum>(place); }};
}

template <typename Entry>
inline constexpr forms::Vector vector_of = {
    sizeof(Entry), [](const void* list) { return as<std::vector<Entry>>(list).size(); },
    [](const void* list) -> const void* { return as<std::vector<Entry>>(list).data(); },
    [](void* list, std::size_t size) -> void* {
      as<std::vector<Entry>>(list).resize(size);
      return as<std::vector<Entry>>(list).data();
    }};

template <typename Entry>
constexpr std::string& key_of(void* entry) {
  return as<Entry>(entry).*entry_key(as<Entry>(entry));
}

template <typename Entry>
constexpr Form form_of_list() {
  constexpr forms::Vector list = vector_of<Entry>;
  if constexpr (InColumns<Entry> || KeyedValue<Entry>) {
    static_assert(std::ranges::none_of(
        fields_of<Entry>(), [](const forms::Field& field) { return field.optional != nullptr; }));
  }
  if constexpr (InColumns<Entry>) {
    return {forms::Columns{list, fields_of<Entry>()}};
  } else if constexpr (KeyedValue<Entry>) {
    constexpr const forms::Field& value = fields_of<Entry>().front();
    return {forms::Named{list, key_of<Entry>, value.in, value.form, &value.range}};
  } else if constexpr (Keyed<Entry>) {
    return {forms::Named{list, key_of<Entry>, [](void* entry) { return entry; }, &form_of<Entry>,
                         nullptr}};
  } else if constexpr (requires(Entry entry) { entry.first; }) {
    return {forms::Named{list, [](void* entry) -> std::string& { return as<Entry>(entry).first; },
                         [](void* entry) -> void* { return &as<Entry>(entry).second; },
                         &form_of<typename Entry::second_type>, nullptr}};
  } else {
    return {forms::List{list, &form_of<Entry>}};
  }
}

template <typename Map>
constexpr forms::Map form_of_map() {
  return {[](const void* map, const auto& visit) {
            for (const auto& [name, value] : as<Map>(map)) visit(name, &value);
          },
          [](void* map, std::string name) -> void* { return &as<Map>(map)[std::move(name)]; },
          &form_of<typename Map::mapped_type>};
}

template <typename T>
constexpr Form form_of_type() {
  if constexpr (std::is_enum_v<T>) {
    return {form_of_enumeration<T>()};
  } else if constexpr (std::is_same_v<T, bool>) {
    return {forms::Truth{}};
  } else if constexpr (std::is_arithmetic_v<T>) {
    return {forms::Number<T>{}};
  } else if constexpr (std::is_same_v<T, std::string>) {
    return {forms::Text{}};
  } else if constexpr (Described<T>) {
    return {form_of_record<T>()};
  } else if constexpr (requires { EntryNames<T>::names; }) {
    using Entry = typename T::value_type;
    static_assert(std::size(EntryNames<T>::names) == std::tuple_size_v<T>);
    return {forms::Table{EntryNames<T>::names, sizeof(Entry), &form_of<Entry>}};
  } else if constexpr (requires { typename T::mapped_type; }) {
    return {form_of_map<T>()};
  } else {
    static_assert(std::is_same_v<T, std::vector<typename T::value_type>>);
    return form_of_list<typename T::value_type>();
  }
}

}  // namespace detail

/// Returns the value as JSON, see Form::write().
template <typename T>
boost::json::value value_of(const T& field, const Range& range = range_of_type<T>()) {
  return form_of<T>.write(&field, range);
}

/// Reads the output of value_of() into `field`, see Form::read().
template <typename T>
void read(const boost::json::value& value, T& field, const Range& range = range_of_type<T>()) {
  form_of<T>.read(value, &field, range);
}

}  // namespace trilane
