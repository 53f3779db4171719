#include "common/model/variant/plan.hpp"

namespace trilane {

std::uint64_t total_calls(const Plan& plan) {
  std::uint64_t calls = 0;
  for (const Count& call : plan.calls) calls += call.value;
  return calls;
}

std::uint64_t calls_of(const Plan& plan, const std::string& name) {
  const auto found = std::ranges::find(plan.calls, name, &Count::name);
  return found == plan.calls.end() ? 0 : found->value;
}

std::vector<Count> together(std::initializer_list<std::vector<Count>> lists) {
  std::vector<Count> all;
  for (const auto& list : lists) all.insert(all.end(), list.begin(), list.end());
  return all;
}

std::vector<Count> added_up(std::vector<Count> facts, const std::vector<Count>& more) {
  for (const Count& count : more) {
    const auto known = std::ranges::find(facts, count.name, &Count::name);
    if (known == facts.end()) {
      facts.push_back(count);
    } else {
      known->value += count.value;
    }
  }
  return facts;
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
      const bool holds = e.at_least ? fact.value >= e.value : fact.value == e.value;
      if (!holds) {
        misses.push_back(fmt::format("{}, the runtime reports {}", planned, fact.value));
      }
    }
    if (!found) misses.push_back(planned + ", the runtime reports nothing");
  }
  return misses;
}

}  // namespace trilane
