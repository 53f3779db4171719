// The figures of a record by name, for work that treats all alike.
#pragma once

#include "common/base/json/members.hpp"

namespace trilane {

/// A number of a record, and its place in the file: "engine.in_gbps", "stream.start_us.copy in".
struct NamedFigure {
  std::string name;
  double* value;
};

namespace detail {

/// An entry's name in a list. A header may declare name_in_list(Entry) in place of the index.
template <typename Entry>
std::string name_of_entry(const Entry& entry, std::size_t index) {
  if constexpr (requires { name_in_list(entry); }) {
    return name_in_list(entry);
  } else {
    return std::to_string(index);
  }
}

template <typename Value>
void add_figures(std::vector<NamedFigure>& found, const std::string& name, Value& value) {
  const auto inside = [&](const std::string& part, auto& entry) {
    add_figures(found, name.empty() ? part : name + '.' + part, entry);
  };
  if constexpr (std::is_same_v<Value, double>) {
    found.push_back({name, &value});
  } else if constexpr (Described<Value>) {
    for_each_member<Value>([&](auto member) { inside(member.name, value.*member.pointer); });
  } else if constexpr (requires { EntryNames<Value>::names; }) {
    for (std::size_t i = 0; i < value.size(); ++i) inside(EntryNames<Value>::names[i], value[i]);
  } else if constexpr (requires { typename Value::mapped_type; }) {
    for (auto& [key, entry] : value) inside(key, entry);
  } else if constexpr (requires { value.has_value(); }) {
    if (value) add_figures(found, name, *value);
  } else if constexpr (requires { value.push_back(value.front()); } &&
                       !std::is_same_v<Value, std::string>) {
    for (std::size_t i = 0; i < value.size(); ++i) inside(name_of_entry(value[i], i), value[i]);
  }
}

}  // namespace detail

/// Returns the floating-point numbers of a record, in the order of its file.
template <Described Record>
std::vector<NamedFigure> figures_of(Record& record) {
  std::vector<NamedFigure> found;
  detail::add_figures(found, "", record);
  return found;
}

}  // namespace trilane
