// Merges a record's members by the rules in its header.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>
#include <vector>

#include "common/base/json/members.hpp"
#include "common/explain/statistics/statistics.hpp"
#include "common/model/results/merging.hpp"

namespace trilane {

/// The records of several processes.
template <typename Record>
using Parts = std::vector<const Record*>;

namespace detail {

using merging::How;

struct NoOwnRules {};

template <auto member, typename Record>
const char* member_name() {
  const char* found = "";
  boost::mp11::mp_for_each<Members<Record>>([&](auto described) {
    using Described = merging::Member<decltype(described)::pointer>;
    if (std::is_same_v<Described, merging::Member<member>>) found = described.name;
  });
  return found;
}

/// Returns true if the record's rules name each member once.
template <Described Record>
constexpr bool rules_are_complete() {
  bool complete = true;
  boost::mp11::mp_for_each<Members<Record>>([&](auto described) {
    constexpr auto member = decltype(described)::pointer;
    const auto count = [](auto... rules) { return (rules.template names<member> + ...); };
    complete = complete && std::apply(count, merge_rules(static_cast<const Record*>(nullptr))) == 1;
  });
  return complete;
}

template <How how, auto member, typename Record, typename Own, typename HasTimes>
void merge_member(Record& result, const Parts<Record>& parts, Own& own, HasTimes has_times) {
  auto& field = result.*member;
  if constexpr (how == How::same) {
    for (const Record* part : parts) {
      if (part->*member != field) {
        throw std::invalid_argument(
            fmt::format("the processes differ in their {}", member_name<member, Record>()));
      }
    }
  } else if constexpr (how == How::last) {
    field = parts.back()->*member;
  } else if constexpr (how == How::sum) {
    field = {};
    for (const Record* part : parts) field += part->*member;
  } else if constexpr (how == How::median) {
    std::vector<double> values;
    for (const Record* part : parts) {
      if (has_times(*part)) values.push_back(part->*member);
    }
    field = values.empty() ? 0 : quantile(values, 0.5);
  } else if constexpr (how == How::joined || how == How::united) {
    field.clear();
    for (const Record* part : parts) {
      for (const auto& entry : part->*member) {
        const bool known = how == How::united && std::ranges::find(field, entry) != field.end();
        if (!known) field.push_back(entry);
      }
    }
  } else if constexpr (how == How::own) {
    own(merging::Member<member>(), field);
  } else if constexpr (how == How::derived) {
    field = {};
  }
}

}  // namespace detail

/// Merges the members of `parts`, which must not be empty, into `result`, a copy of the
/// representative record. `own(Member<&Record::member>, member of the result)` merges those with
/// rule `own`. Throws std::invalid_argument if parts differ in a member that must be the same.
template <Described Record, typename Own = detail::NoOwnRules>
void merge_members(
    Record& result, const Parts<Record>& parts, Own own = {},
    bool (*has_times)(const Record&) = [](const Record&) { return true; }) {
  static_assert(detail::rules_are_complete<Record>(),
                "merge_rules() of the record must name each of its members once");
  const auto merge_all = [&]<detail::How how, auto... members>(merging::Rule<how, members...>) {
    (detail::merge_member<how, members>(result, parts, own, has_times), ...);
  };
  std::apply([&](auto... rules) { (merge_all(rules), ...); }, merge_rules(&result));
}

}  // namespace trilane
