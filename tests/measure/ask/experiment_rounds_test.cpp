// How many times an experiment is measured.
#include "common/measure/ask/asking.hpp"

#include <boost/test/unit_test.hpp>

using namespace trilane;

BOOST_AUTO_TEST_SUITE(rounds_of_an_experiment)

namespace {

/// Counts its samples; can be measured for three rounds.
struct Scarce : Experiment {
  std::vector<Condition> conditions() override {
    return {{"number", [this] { return static_cast<double>(++samples); }, {}, Quantity::count}};
  }
  std::uint32_t most_rounds() const override { return 3; }
  int samples = 0;
};

template <typename E>
Question question_of() {
  Question question;
  question.make = [] { return std::make_unique<E>(); };
  question.conclude = [](const Readings&) { return Conclusion(); };
  return question;
}

}  // namespace

BOOST_AUTO_TEST_CASE(an_experiment_is_measured_no_more_often_than_it_can_be) {
  const std::vector<Figure> figures =
      measure(question_of<Scarce>(), {.rounds = {.seconds = 0, .fewest = 12}});
  const std::vector<double> after_the_warm_up{2, 3, 4};
  BOOST_TEST(figures.at(0).samples == after_the_warm_up, boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(without_such_a_limit_the_fewest_rounds_are_measured_whatever_the_time) {
  struct Plenty : Scarce {
    std::uint32_t most_rounds() const override { return UINT32_MAX; }
  };
  const std::vector<Figure> figures =
      measure(question_of<Plenty>(), {.rounds = {.seconds = 0, .fewest = 12}});
  BOOST_TEST(figures.at(0).samples.size() == 12u);
}

BOOST_AUTO_TEST_SUITE_END()
