// Every question on the program's device. Times are not asserted: load changes them.
#include "common/device/flavour/flavour.hpp"
#include "tests/measure/ask/turned_round.hpp"

BOOST_AUTO_TEST_SUITE(experiments)

AskSettings few_rounds() {
  return {.rounds = {.seconds = 0, .fewest = 6, .most = 6},
          .simulated = !simulated_profile().empty()};
}

/// The answers that follow from data and error codes, whatever the times.
const std::map<std::string, Finding> answers{{"free_on_other_stream", Finding::no},
                                             {"within_stream", Finding::no},
                                             {"missing_event", Finding::no},
                                             {"copy_returns", Finding::no},
                                             {"pageable_returns", Finding::yes},
                                             {"graph_memory", Finding::depends},
                                             {"capture_other_thread", Finding::depends},
                                             {"capture_leaves_out", Finding::depends},
                                             {"host_function_calls", Finding::no}};

BOOST_AUTO_TEST_CASE(each_measures_all_that_its_conclusion_reads) {
  for (const Question& question : questions()) {
    const Reply reply = ask(question, few_rounds());
    BOOST_TEST_CONTEXT(question.name << ": " << reply.sentence) {
      BOOST_TEST(name_of(reply.finding) != name_of(Finding::failed));
      BOOST_TEST(reply.figures.empty() == (reply.finding == Finding::not_modelled));
    }
  }
}

BOOST_AUTO_TEST_CASE(what_goes_wrong_becomes_the_answer) {
  Question question;
  question.make = []() -> std::unique_ptr<Experiment> { throw std::runtime_error("made up"); };
  const Reply reply = ask(question, few_rounds());
  BOOST_TEST(name_of(reply.finding) == name_of(Finding::failed));
  BOOST_TEST(reply.sentence == "made up");
}

BOOST_AUTO_TEST_CASE(each_has_something_to_turn_round) {
  if (!simulated_profile().empty()) return;  // it may lack what a set-up needs
  for (const Question& question : questions()) {
    const auto conditions = question.make()->conditions();
    const bool any =
        std::ranges::any_of(conditions, [](const Condition& c) { return !c.turned_round.empty(); });
    BOOST_TEST(any, question.name);
  }
}

BOOST_AUTO_TEST_CASE(what_does_not_depend_on_times_is_answered_and_answered_otherwise) {
  std::size_t asked = 0;
  for (const Question& question : questions()) {
    const auto known = answers.find(question.name);
    if (known == answers.end()) continue;
    ++asked;
    const Reply reply = ask(question, few_rounds());
    if (reply.finding == Finding::not_modelled) continue;
    BOOST_TEST(name_of(reply.finding) == name_of(known->second), question.name << reply.sentence);
    BOOST_TEST(check_turned_round(question, few_rounds()) > 0u);
  }
  BOOST_TEST(asked == answers.size());
}

BOOST_AUTO_TEST_SUITE_END()

/// Run by hand, and alone, because load can change times: --run_test=turned_round_on_a_quiet_GPU.
BOOST_AUTO_TEST_SUITE(turned_round_on_a_quiet_GPU, *boost::unit_test::disabled())

BOOST_AUTO_TEST_CASE(each_answers_otherwise) {
  const AskSettings settings{.rounds = {.seconds = 0, .fewest = 12, .most = 12}};
  for (const Question& question : questions()) check_turned_round(question, settings);
}

BOOST_AUTO_TEST_SUITE_END()
