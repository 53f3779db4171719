// The members of a record, which its header lists once in the order of the file.
#pragma once

#include <boost/describe/members.hpp>
#include <boost/mp11/algorithm.hpp>
#include <boost/pfr/tuple_size.hpp>
#include <type_traits>
#include <utility>

namespace trilane {

/// A record whose header lists its members: BOOST_DESCRIBE_STRUCT(Record, (), (member, ...)).
template <typename T>
concept Described = boost::describe::has_describe_members<T>::value;

/// Descriptors of the members, each with a `name` and a `pointer`.
template <Described Record>
using Members = boost::describe::describe_members<Record, boost::describe::mod_public>;

/// A record whose list is an object in the file, with one member as the key. Its header declares
/// `constexpr auto entry_key(const Record&) { return &Record::name; }`.
template <typename T>
concept Keyed = Described<T> && requires(const T& entry) {
  entry_key(entry);
};

/// A record whose list is an object of columns in the file. Its header declares `constexpr bool
/// in_columns(const Record&) { return true; }`.
template <typename T>
concept InColumns = Described<T> && requires(const T& entry) {
  in_columns(entry);
};

/// The keys, as `names`, of an array that is an object in the file.
template <typename Array>
struct EntryNames;

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

/// A member with its key in files as its name.
template <typename Member>
struct MemberInFile {
  static constexpr auto pointer = Member::pointer;
  static constexpr const char* name = [] {
    if constexpr (requires { file_key(Member::pointer); }) return file_key(Member::pointer);
    return Member::name;
  }();
};

template <Described Record>
struct InFile {
  static_assert(boost::mp11::mp_size<Members<Record>>::value == boost::pfr::tuple_size_v<Record>,
                "a member of the record is not in its list, BOOST_DESCRIBE_STRUCT");
  using type =
      boost::mp11::mp_transform<MemberInFile,
                                boost::mp11::mp_remove_if_q<Members<Record>, IsKey<Record>>>;
};

}  // namespace detail

/// The members of a record in a file: all except its key in a list. Each has its own name, unless
/// the header declares `constexpr const char* file_key(Type Record::*) { return "key"; }`, by the
/// member's type.
template <Described Record>
using FileMembers = typename detail::InFile<Record>::type;

/// Calls visit(descriptor) for each member in a file, in its order.
template <Described Record, typename Visit>
constexpr void for_each_descriptor(Visit visit) {
  boost::mp11::mp_for_each<FileMembers<Record>>(visit);
}

/// Calls visit(name, pointer to member) for each member in a file, in its order.
template <Described Record, typename Visit>
constexpr void for_each_member(Visit visit) {
  boost::mp11::mp_for_each<FileMembers<Record>>(
      [&](auto member) { visit(member.name, member.pointer); });
}

}  // namespace trilane
