// How the records of several processes are merged, member by member. The header of a record says
// constexpr auto merge_rules(const Record*) { return std::tuple{...}; }
#pragma once

#include <tuple>
#include <type_traits>

namespace trilane::merging {

enum class How {
  same,     ///< must be equal in all processes
  first,    ///< of the process that represents all, by default the first
  last,     ///< of the last process
  sum,      ///< over all processes
  median,   ///< over the processes that have times
  joined,   ///< lists, one after the other
  united,   ///< lists, each entry once
  own,      ///< by code for this member in processes/
  derived,  ///< left empty, for derive()
};

/// A member of a record, as a type.
template <auto pointer>
struct Member {};

/// Members that are merged in the same way.
template <How how, auto... members>
struct Rule {
  /// How often the rule names the member.
  template <auto member>
  static constexpr int names = (0 + ... + std::is_same_v<Member<member>, Member<members>>);
};

template <auto... members>
inline constexpr Rule<How::same, members...> same{};
template <auto... members>
inline constexpr Rule<How::first, members...> first{};
template <auto... members>
inline constexpr Rule<How::last, members...> last{};
template <auto... members>
inline constexpr Rule<How::sum, members...> sum{};
template <auto... members>
inline constexpr Rule<How::median, members...> median{};
template <auto... members>
inline constexpr Rule<How::joined, members...> joined{};
template <auto... members>
inline constexpr Rule<How::united, members...> united{};
template <auto... members>
inline constexpr Rule<How::own, members...> own{};
template <auto... members>
inline constexpr Rule<How::derived, members...> derived{};

}  // namespace trilane::merging
