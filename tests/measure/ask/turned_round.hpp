// Checks that an experiment gives another answer if the effect in question is reversed.
#pragma once

#include "common/device/flavour/flavour.hpp"
#include "common/measure/ask/question.hpp"
#include "tests/framework.hpp"

namespace trilane {

using Cases = std::map<std::string, std::optional<bool>>;

inline Cases cases_of(const Question& question, const AskSettings& settings) {
  const std::vector<Figure> figures = measure(question, settings);
  take_hazards();  // which would otherwise be found by the next test
  return question.conclude(Readings(figures)).cases();
}

/// Checks that each reversible condition changes the answer in at least one way. Returns the number
/// of reversible conditions.
inline std::size_t check_turned_round(const Question& question, AskSettings settings) {
  const Cases answer = cases_of(question, settings);
  std::vector<std::size_t> ways;
  for (const Condition& condition : question.make()->conditions()) {
    ways.push_back(condition.turned_round.size());
  }
  std::size_t turned = 0;
  for (std::size_t condition = 0; condition < ways.size(); ++condition) {
    if (ways[condition] == 0) continue;
    ++turned;
    bool changes = false;
    for (std::size_t way = 0; way < ways[condition]; ++way) {
      settings.turned_round = std::pair{condition, way};
      changes = changes || cases_of(question, settings) != answer;
    }
    BOOST_TEST(changes, question.name << ", condition " << condition);
  }
  return turned;
}

}  // namespace trilane
