#include <fmt/format.h>

#include <string>
#include <type_traits>

#include "common/json/members.hpp"
#include "common/report/diff/diff_parts.hpp"

namespace trilane {
namespace {

/// Adds the field as text under its key, and a record's members under "key.member".
template <typename Field>
void add_fact(std::vector<Property>& facts, const std::string& key, const Field& field) {
  if constexpr (Described<Field>) {
    for_each_member<Field>([&](const char* name, auto member) {
      add_fact(facts, key.empty() ? name : key + "." + name, field.*member);
    });
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
