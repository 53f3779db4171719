#include "common/variant/plan.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace trilane {
namespace {

bool holds(const Expectation& expected, std::uint64_t value) {
  return expected.at_least ? value >= expected.value : value == expected.value;
}

}  // namespace

std::uint64_t count_of(const std::vector<Count>& counts, const std::string& name) {
  const auto found = std::ranges::find(counts, name, &Count::name);
  return found == counts.end() ? 0 : found->value;
}

std::vector<Count> together(std::initializer_list<std::vector<Count>> lists) {
  std::vector<Count> all;
  for (const auto& list : lists) all.insert(all.end(), list.begin(), list.end());
  return all;
}

std::vector<std::string> mismatches(const std::vector<Expectation>& expected,
                                    const std::vector<Count>& evidence) {
  std::vector<std::string> misses;
  for (const Expectation& e : expected) {
    const auto planned =
        fmt::format("{}: planned {}{}", e.name, e.at_least ? "at least " : "", e.value);
    bool found = false;
    for (const Count& fact : evidence) {
      if (fact.name != e.name) continue;
      found = true;
      if (!holds(e, fact.value)) {
        misses.push_back(fmt::format("{}, the runtime reports {}", planned, fact.value));
      }
    }
    if (!found) misses.push_back(planned + ", the runtime reports nothing");
  }
  return misses;
}

}  // namespace trilane
