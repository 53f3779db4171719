// The conclusion of each question from fake readings.
#include <boost/test/unit_test.hpp>
#include <map>
#include <random>
#include <set>
#include <stdexcept>

#include "common/measure/ask/question.hpp"

using namespace trilane;

BOOST_AUTO_TEST_SUITE(conclusions_from_made_up_readings)

namespace {

using Value = std::function<double(const std::string& condition)>;

/// Returns the conclusion if every condition always has the value of its name. The names are those
/// that the conclusion reads.
Conclusion concluded(const Question& question, const Value& value) {
  std::vector<Figure> figures;
  for (;;) {
    try {
      return question.conclude(Readings(figures));
    } catch (const std::out_of_range& missing) {
      const std::string text = missing.what();  // no condition 'NAME'
      const std::string name =
          text.substr(text.find('\'') + 1, text.rfind('\'') - text.find('\'') - 1);
      BOOST_REQUIRE(std::ranges::find(figures, name, &Figure::name) == figures.end());
      figures.push_back({name, Quantity::us, {value(name)}});
    }
  }
}

/// Conditions with one of `slow` in their names are a thousand times slower than the others.
struct Effect {
  std::string question;
  std::vector<std::string> slow;
  Finding there, absent;
};

void check(const Question& question, const Effect& effect) {
  const Conclusion there = concluded(question, [&](const std::string& condition) {
    const auto in = [&](const std::string& part) { return condition.find(part) != part.npos; };
    return std::ranges::any_of(effect.slow, in) ? 1000.0 : 1.0;
  });
  const Conclusion absent = concluded(question, [](const std::string&) { return 1.0; });
  BOOST_TEST(name_of(there.finding()) == name_of(effect.there), question.name);
  BOOST_TEST(name_of(absent.finding()) == name_of(effect.absent), question.name);
}

}  // namespace

/// The simulated device cannot try these; the others have their effects reversed there.
BOOST_AUTO_TEST_CASE(effects_that_are_not_modelled_decide_the_answer) {
  using enum Finding;
  const Effect effects[]{
      {"waiting", {"kernel and wait, blocking", "CPU time of that, spinning"}, yes, no},
      {"event_costs", {"with timing"}, yes, no},
      {"lazy_loading", {"first launch of a kernel"}, yes, no},
      {"pageable_other_calls", {"while another thread copies"}, yes, no},
      {"write_combined", {"copied in, pinned"}, yes, no},
      {"hardware_queues", {"two kernels"}, yes, no},
      {"memset_beside_kernel", {"on all SMs"}, depends, undecided},
      {"first_launch", {"without an upload"}, yes, no},
      {"allocation_nodes", {"the same three"}, yes, no},
      {"host_function_late", {"host function after"}, yes, no},
      {"host_function_holds_up", {"beside one"}, yes, no}};
  for (const Question& question : questions()) {
    int tried = 0;
    for (const Effect& effect : effects) {
      if (effect.question != question.name) continue;
      ++tried;
      check(question, effect);
    }
    // The data of pageable_returns are tried on a GPU.
    const bool wanted = !question.not_modelled.empty() && question.name != "pageable_returns";
    BOOST_TEST((tried > 0) == wanted, question.name);
  }
}

BOOST_AUTO_TEST_CASE(readings_can_answer_every_case_with_yes_and_with_no) {
  std::mt19937 random(1);
  const double values[] = {0, 1, 2, 20, 1000, 3000};
  for (const Question& question : questions()) {
    std::map<std::string, std::set<std::optional<bool>>> answers;
    for (int i = 0; i < 1000; ++i) {
      const Conclusion conclusion = concluded(
          question, [&](const std::string&) { return values[random() % std::size(values)]; });
      for (const auto& [name, answer] : conclusion.cases()) answers[name].insert(answer);
    }
    if (answers.size() > 1) answers.erase("");  // the experiment itself failed
    for (const auto& [name, found] : answers) {
      const bool both = found.contains(true) && found.contains(false);
      BOOST_TEST(both, question.name << ", case '" << name << "'");
    }
  }
}

BOOST_AUTO_TEST_SUITE_END()
