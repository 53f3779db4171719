#include <fmt/format.h>

#include <string>
#include <type_traits>

#include "common/base/json/members.hpp"
#include "common/explain/report/diff/diff_parts.hpp"

namespace trilane {
namespace {

template <typename T>
concept Optional = requires(const T& field) {
  field.has_value();
};

template <typename T>
concept List = requires(const T& field) {
  field.begin();
}
&&!std::is_same_v<T, std::string>;

/// Adds the field as text under its key, a record's members under "key.member", a list's entries
/// under "key[0]", and nothing if it is absent.
template <typename Field>
void add_fact(std::vector<Property>& facts, const std::string& key, const Field& field) {
  if constexpr (Described<Field>) {
    for_each_member<Field>([&](const char* name, auto member) {
      add_fact(facts, key.empty() ? name : key + "." + name, field.*member);
    });
  } else if constexpr (Optional<Field>) {
    if (field) add_fact(facts, key, *field);
  } else if constexpr (List<Field>) {
    for (std::size_t i = 0; i < field.size(); ++i)
      add_fact(facts, fmt::format("{}[{}]", key, i), field[i]);
  } else if constexpr (std::is_enum_v<Field>) {
    facts.emplace_back(key, name_of(field));
  } else {
    facts.emplace_back(key, fmt::format("{}", field));
  }
}

}  // namespace

std::vector<Property> work_of(const Comparison& comparison) {
  std::vector<Property> facts;
  Workload workload = comparison.workload;
  workload.modified = false;
  add_fact(facts, "", workload);
  add_fact(facts, "mode", comparison.mode);
  add_fact(facts, "batch", comparison.batch);
  add_fact(facts, "wait", comparison.wait);
  add_fact(facts, "slow_down", comparison.slow_down);
  return facts;
}

}  // namespace trilane
