// How values of C++ types stand in files: read, written and described by the same code for all
// records, from a description of each type.
#pragma once

#include <array>
#include <boost/json/object.hpp>
#include <boost/json/value.hpp>
#include <concepts>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "common/base/json/members.hpp"
#include "common/base/text/enumerators.hpp"

namespace trilane {

class ObjectReader;

/// How values of one type stand in a file. A value is passed by its address. The range applies to
/// numbers and texts inside, except in records, which have their own.
class Form {
 public:
  /// Returns the value as JSON. Throws a Misfit, with the place, on values that JSON cannot
  /// represent: it has no infinity and no NaN.
  virtual boost::json::value write(const void* value, const Range& range) const = 0;
  /// Reads the output of write(). Throws a Misfit with the place inside the value.
  virtual void read(const boost::json::value& from, void* value, const Range& range) const = 0;
  /// Returns the JSON Schema of the output of write().
  virtual boost::json::object schema(const Range& range) const = 0;

 protected:
  ~Form() = default;
};

namespace detail {

/// Casts of addresses, for the functions below.
template <typename T>
const T& as(const void* value) {
  return *static_cast<const T*>(value);
}
template <typename T>
T& as(void* value) {
  return *static_cast<T*>(value);
}

class TruthForm final : public Form {
 public:
  boost::json::value write(const void* value, const Range&) const override;
  void read(const boost::json::value& from, void* value, const Range&) const override;
  boost::json::object schema(const Range&) const override;
};

/// An integer or a floating-point number; form.cpp defines it for each type in use.
template <typename Number>
class NumberForm final : public Form {
 public:
  boost::json::value write(const void* value, const Range&) const override;
  void read(const boost::json::value& from, void* value, const Range& range) const override;
  boost::json::object schema(const Range& range) const override;
};

class TextForm final : public Form {
 public:
  boost::json::value write(const void* value, const Range& range) const override;
  void read(const boost::json::value& from, void* value, const Range& range) const override;
  boost::json::object schema(const Range& range) const override;
};

/// An enumerator stands in the file as its name_of().
struct EnumForm final : Form {
  std::size_t count;
  const char* (*name)(std::size_t place);
  std::size_t (*get)(const void* value);
  void (*set)(void* value, std::size_t place);

  constexpr EnumForm(std::size_t all, const char* (*name_at)(std::size_t),
                     std::size_t (*getter)(const void*), void (*setter)(void*, std::size_t))
      : count(all), name(name_at), get(getter), set(setter) {}
  boost::json::value write(const void* value, const Range&) const override;
  void read(const boost::json::value& from, void* value, const Range&) const override;
  boost::json::object schema(const Range&) const override;
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
struct RecordForm final : Form {
  std::span<const Field> fields;
  /// Throws a Misfit if members contradict each other; null if the header declares no
  /// cross_check().
  void (*check)(const void* record);
  /// Returns the derived_key() of the record, or of a new one for null; may itself be null.
  std::pair<const char*, std::uint32_t> (*derived)(const void* record);

  constexpr RecordForm(std::span<const Field> all, void (*checks)(const void*),
                       std::pair<const char*, std::uint32_t> (*derives)(const void*))
      : fields(all), check(checks), derived(derives) {}
  boost::json::value write(const void* value, const Range&) const override;
  void read(const boost::json::value& from, void* value, const Range&) const override;
  boost::json::object schema(const Range&) const override;

  /// The same for a file, whose header stands before the members.
  void write_members(boost::json::object& object, const void* record) const;
  void read_members(ObjectReader& reader, void* record) const;
  boost::json::object schema_after(
      std::vector<std::pair<const char*, boost::json::object>> header) const;
};

/// A vector.
struct List {
  std::size_t stride;
  std::size_t (*size)(const void* list);
  const void* (*data)(const void* list);
  void* (*resize)(void* list, std::size_t size);  ///< returns the address of the entries
};

/// A list stands in the file as an array.
struct ListForm final : Form {
  List list;
  const Form* entry;

  constexpr ListForm(const List& of, const Form* entries) : list(of), entry(entries) {}
  boost::json::value write(const void* value, const Range& range) const override;
  void read(const boost::json::value& from, void* value, const Range& range) const override;
  boost::json::object schema(const Range& range) const override;
};

/// A list of records that are InColumns stands in the file as an object of columns.
struct ColumnsForm final : Form {
  List list;
  std::span<const Field> fields;

  constexpr ColumnsForm(const List& of, std::span<const Field> all) : list(of), fields(all) {}
  boost::json::value write(const void* value, const Range&) const override;
  void read(const boost::json::value& from, void* value, const Range&) const override;
  boost::json::object schema(const Range&) const override;
};

/// A list of Keyed records, or of pairs, stands in the file as an object.
struct NamedForm final : Form {
  List list;
  std::string& (*name)(void* entry);
  void* (*in)(void* entry);  ///< the value of an entry
  const Form* form;
  const Range* own;  ///< the value's range; null for that of the list

  constexpr NamedForm(const List& of, std::string& (*name_in)(void*), void* (*value_in)(void*),
                      const Form* of_value, const Range* range)
      : list(of), name(name_in), in(value_in), form(of_value), own(range) {}
  boost::json::value write(const void* value, const Range& range) const override;
  void read(const boost::json::value& from, void* value, const Range& range) const override;
  boost::json::object schema(const Range& range) const override;
};

/// A map from names stands in the file as an object.
struct MapForm final : Form {
  using Visit = std::function<void(const std::string& name, const void* value)>;
  void (*each)(const void* map, const Visit& visit);
  void* (*at)(void* map, std::string name);  ///< the value of that name, new if there is none
  const Form* form;

  constexpr MapForm(void (*visits)(const void*, const Visit&), void* (*finds)(void*, std::string),
                    const Form* of_value)
      : each(visits), at(finds), form(of_value) {}
  boost::json::value write(const void* value, const Range& range) const override;
  void read(const boost::json::value& from, void* value, const Range& range) const override;
  boost::json::object schema(const Range& range) const override;
};

/// An array with EntryNames stands in the file as an object.
struct TableForm final : Form {
  std::span<const char* const> names;
  std::size_t stride;
  const Form* entry;

  constexpr TableForm(std::span<const char* const> all, std::size_t size, const Form* entries)
      : names(all), stride(size), entry(entries) {}
  boost::json::value write(const void* value, const Range& range) const override;
  void read(const boost::json::value& from, void* value, const Range& range) const override;
  boost::json::object schema(const Range& range) const override;
};

template <typename T>
constexpr auto form_of_type();

}  // namespace detail

/// The form of a type.
template <typename T>
inline constexpr auto form_of = detail::form_of_type<T>();

namespace detail {

template <typename T>
inline constexpr bool is_optional = false;
template <typename T>
inline constexpr bool is_optional<std::optional<T>> = true;

template <typename Value>
inline constexpr Optional optional_of = {
    [](const void* optional) -> const void* {
      const auto& value = as<std::optional<Value>>(optional);
      return value ? &*value : nullptr;
    },
    [](void* optional) -> void* { return &as<std::optional<Value>>(optional).emplace(); }};

template <typename Record, typename Member>
constexpr Field field_of() {
  using Type = typename Member::Field;
  Field field{Member::name, Member::range,
              [](void* record) -> void* { return &(as<Record>(record).*Member::pointer); }, nullptr,
              nullptr};
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
  static constexpr std::array<Field, sizeof...(Member)> all{field_of<Record, Member>()...};
};
template <typename Record>
constexpr std::span<const Field> fields_of() {
  return Fields<Record, FileMembers<Record>>::all;
}

template <typename Record>
constexpr RecordForm form_of_record() {
  RecordForm form(fields_of<Record>(), nullptr, nullptr);
  if constexpr (requires(const Record& record) { cross_check(record); }) {
    form.check = [](const void* record) { cross_check(as<Record>(record)); };
  }
  if constexpr (requires(const Record& record) { derived_key(record); }) {
    form.derived = [](const void* record) {
      return record ? derived_key(as<Record>(record)) : derived_key(Record{});
    };
  }
  return form;
}

template <typename Enum>
constexpr EnumForm form_of_enumeration() {
  return {enumerators<Enum>.size(),
          [](std::size_t place) -> const char* { return name_of(static_cast<Enum>(place)); },
          [](const void* value) { return static_cast<std::size_t>(as<Enum>(value)); },
          [](void* value, std::size_t place) { as<Enum>(value) = static_cast<Enum>(place); }};
}

template <typename Entry>
inline constexpr List list_of = {
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
constexpr auto form_of_list() {
  if constexpr (InColumns<Entry>) {
    return ColumnsForm(list_of<Entry>, fields_of<Entry>());
  } else if constexpr (KeyedValue<Entry>) {
    constexpr const Field& value = fields_of<Entry>().front();
    return NamedForm(list_of<Entry>, key_of<Entry>, value.in, value.form, &value.range);
  } else if constexpr (Keyed<Entry>) {
    return NamedForm(
        list_of<Entry>, key_of<Entry>, [](void* entry) { return entry; }, &form_of<Entry>, nullptr);
  } else if constexpr (requires(Entry entry) { entry.first; }) {
    return NamedForm(
        list_of<Entry>, [](void* entry) -> std::string& { return as<Entry>(entry).first; },
        [](void* entry) -> void* { return &as<Entry>(entry).second; },
        &form_of<typename Entry::second_type>, nullptr);
  } else {
    return ListForm(list_of<Entry>, &form_of<Entry>);
  }
}

template <typename Value>
constexpr MapForm form_of_map() {
  using Map = std::map<std::string, Value>;
  return {[](const void* map, const MapForm::Visit& visit) {
            for (const auto& [name, value] : as<Map>(map)) visit(name, &value);
          },
          [](void* map, std::string name) -> void* { return &as<Map>(map)[std::move(name)]; },
          &form_of<Value>};
}

template <typename T>
constexpr auto form_of_type() {
  if constexpr (std::is_enum_v<T>) {
    return form_of_enumeration<T>();
  } else if constexpr (std::is_same_v<T, bool>) {
    return TruthForm{};
  } else if constexpr (std::is_arithmetic_v<T>) {
    return NumberForm<T>{};
  } else if constexpr (std::is_same_v<T, std::string>) {
    return TextForm{};
  } else if constexpr (Described<T>) {
    return form_of_record<T>();
  } else if constexpr (requires { EntryNames<T>::names; }) {
    return TableForm(EntryNames<T>::names, sizeof(typename T::value_type),
                     &form_of<typename T::value_type>);
  } else if constexpr (requires { typename T::mapped_type; }) {
    return form_of_map<typename T::mapped_type>();
  } else {
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
