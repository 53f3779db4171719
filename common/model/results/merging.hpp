// Rules for merging the records of several processes, member by member.
#pragma once

#include "common/std.hpp"

namespace trilane::merging {

enum class How {
  same,     ///< must be equal in all processes
  first,    ///< of the representative process, by default the first
  last,     ///< of the last process
  sum,      ///< over all processes
  median,   ///< over the processes with times
  joined,   ///< lists, concatenated
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
  /// The number of times the rule names the member.
  template <auto member>
  static constexpr int names = (0 + ... + std::is_same_v<Member<member>, Member<members>>);
};

}  // namespace trilane::merging

/// States how each member of a record, which is R there, is merged: Rule<how, &R::member, ...>().
#define TRILANE_MERGE_RULES(Record, ...)      \
  constexpr auto merge_rules(const Record*) { \
    using enum merging::How;                  \
    using merging::Rule;                      \
    using R = Record;                         \
    return std::tuple{__VA_ARGS__};           \
  }
