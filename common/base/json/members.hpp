// The members of a record, which its header lists once in the order of the file.
#pragma once

#include <boost/describe/members.hpp>
#include <boost/mp11/algorithm.hpp>
#include <boost/mp11/bind.hpp>

#include "common/base/json/ranges.hpp"

namespace trilane {

/// A record whose header lists its members: BOOST_DESCRIBE_STRUCT(Record, (), (member, ...)).
template <typename T>
concept Described = boost::describe::has_describe_members<T>::value;

namespace detail {

/// Converts to the type of any member.
struct Anything {
  template <typename T>
  operator T() const;
};

template <typename Record, std::size_t... place>
constexpr bool takes(std::index_sequence<place...>) {
  return requires { Record{((void)place, Anything{})...}; };
}

}  // namespace detail

/// Holds if the record has that number of members: as many values initialize it, one more does not.
template <typename Record, std::size_t count>
inline constexpr bool has_members = detail::takes<Record>(std::make_index_sequence<count>()) &&
                                    !detail::takes<Record>(std::make_index_sequence<count + 1>());

/// Descriptors of the members, each with a `name` and a `pointer`.
template <Described Record>
using Members = boost::describe::describe_members<Record, boost::describe::mod_public>;

/// A record whose list is an object in the file, with one member as the key. Its header declares
/// `constexpr auto entry_key(const Record&) { return &Record::name; }`.
template <typename T>
concept Keyed = Described<T> && requires(const T& entry) {
  entry_key(entry);
};

/// A record whose list is an object of columns in the file. Its header declares in_columns(Record).
template <typename T>
concept InColumns = Described<T> && requires(const T& entry) {
  in_columns(entry);
};

/// The keys, as `names`, of an array that is an object in the file.
template <typename Array>
struct EntryNames;

namespace detail {

/// The type of the numbers or texts inside lists, tables and optional values.
template <typename T>
struct Leaf {
  using type = T;
};
template <>
struct Leaf<std::string> {
  using type = std::string;
};
template <typename First, typename Second>
struct Leaf<std::pair<First, Second>> : Leaf<Second> {};
template <typename T>
requires requires { typename T::value_type; }
struct Leaf<T> : Leaf<typename T::value_type> {};

template <auto member, auto... members>
constexpr void take(std::optional<Range>& found, const Within<members...>& within) {
  if ((std::is_same_v<Within<member>, Within<members>> || ...)) found = within.range;
}

}  // namespace detail

/// Returns the range of texts outside members: keys.
template <typename T>
constexpr Range range_of_type() {
  if constexpr (std::is_same_v<typename detail::Leaf<T>::type, std::string>) return name_range;
  return {};
}

namespace detail {

template <typename Record>
struct IsKey {
  template <typename Member>
  static constexpr bool found() {
    if constexpr (Keyed<Record>) {
      using Key = decltype(entry_key(std::declval<const Record&>()));
      if constexpr (std::is_same_v<Key, std::remove_cv_t<decltype(Member::pointer)>>) {
        return entry_key(Record{}) == Member::pointer;
      }
    }
    return false;
  }
  template <typename Member>
  using fn = std::bool_constant<found<Member>()>;
};

template <typename Record, typename Member>
constexpr Range range_of() {
  std::optional<Range> stated;
  if constexpr (requires { ranges(static_cast<const Record*>(nullptr)); }) {
    std::apply([&](const auto&... all) { (take<Member::pointer>(stated, all), ...); },
               ranges(static_cast<const Record*>(nullptr)));
  }
  using Leaf = typename detail::Leaf<typename Member::Field>::type;
  if (!stated && std::is_arithmetic_v<Leaf>) stated = range_of_unit(Member::name);
  if (!stated && std::is_floating_point_v<Leaf>) throw "state the member's range in ranges()";
  return stated.value_or(range_of_type<Leaf>());
}

/// A member with its type, its key in files as its name, and its range there.
template <typename Record, typename Member>
struct MemberInFile {
  static constexpr auto pointer = Member::pointer;
  using Field = std::remove_cvref_t<decltype(std::declval<Record&>().*pointer)>;
  static constexpr const char* name = [] {
    if constexpr (requires { file_key(Member::pointer); }) return file_key(Member::pointer);
    return Member::name;
  }();
  static constexpr Range range = range_of<Record, MemberInFile>();
};

template <Described Record>
struct InFile {
  static_assert(has_members<Record, boost::mp11::mp_size<Members<Record>>::value>,
                "a member of the record is not in its list, BOOST_DESCRIBE_STRUCT");
  using type =
      boost::mp11::mp_transform_q<boost::mp11::mp_bind_front<MemberInFile, Record>,
                                  boost::mp11::mp_remove_if_q<Members<Record>, IsKey<Record>>>;
};

}  // namespace detail

/// The members of a record in a file: all except its key in a list. Each has its own name, unless
/// the header declares `constexpr const char* file_key(Type Record::*)`.
template <Described Record>
using FileMembers = typename detail::InFile<Record>::type;

/// A Keyed record whose only other member is its value in the file.
template <typename T>
concept KeyedValue = Keyed<T> && boost::mp11::mp_size<FileMembers<T>>::value == 1;

/// Calls visit(member) for each member in a file, in its order: an object with a `name`, a
/// `pointer`, a `range`, and a type `Field`.
template <Described Record, typename Visit>
constexpr void for_each_member(Visit visit) {
  boost::mp11::mp_for_each<FileMembers<Record>>(visit);
}

}  // namespace trilane
