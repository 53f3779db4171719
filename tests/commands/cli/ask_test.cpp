// trilane ask and trilane loop, and their files again with trilane show.
#include "common/measure/ask/reply.hpp"
#include "common/measure/loop/results/loop_results.hpp"
#include "tests/commands/cli/program.hpp"

namespace {

Outcome run(const Words& words) { return run_without_gpu(words); }

/// Returns the first words of the lines of a list, without its headings.
Words names_in(const std::string& list) {
  Words names;
  std::istringstream lines(list);
  bool heading = true;
  for (std::string line; std::getline(lines, line);) {
    if (!heading && !line.empty()) names.push_back(line.substr(0, line.find(' ')));
    heading = line.empty();
  }
  return names;
}

void check_refused(const Words& words, const std::string& said) { check_refused(run(words), said); }

}  // namespace

BOOST_FIXTURE_TEST_SUITE(simulated_ask, Workplace,
                         *boost::unit_test::precondition(for_the_simulated_device))

BOOST_AUTO_TEST_CASE(lists_the_questions_by_subject) {
  const Outcome list = run({"ask"}).ended(0);
  BOOST_TEST(list.err.empty());
  std::size_t before = 0;
  for (const char* subject :
       {"Memory ", "Host calls ", "Order ", "Copies ", "Graphs ", "Host functions "}) {
    const std::size_t place = list.out.find('\n' + std::string(subject), before);
    BOOST_TEST((place != list.out.npos || list.out.starts_with(subject)), subject);
    before = place == list.out.npos ? 0 : place;
  }
  BOOST_TEST(contains(list.out, "\nfree_waits "));
  BOOST_TEST(contains(list.out, " Does cudaFree wait for running kernels?\n"));
  BOOST_TEST(contains(run({"ask", "--markdown"}).out, "| free_waits "));
}

BOOST_AUTO_TEST_CASE(asks_first_what_others_would_spoil) {
  run({"ask", "free_waits", "malloc_waits", "many_streams", "--json", "ordered.json"}).ended(0);
  const Replies written = replies_from_json(content_of_file("ordered.json"));
  const Words expected{"many_streams", "free_waits", "malloc_waits"};
  BOOST_TEST(transformed(written.answers, &Reply::question) == expected,
             boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(answers_every_question_and_writes_what_can_be_shown_again) {
  const Outcome all = run({"ask", "--all", "--json", "new.json"}).ended(0);
  BOOST_TEST(contains(all.out, "Simulated NVIDIA H200"));
  const Replies written = replies_from_json(content_of_file("new.json"));
  Words asked;
  for (const Reply& reply : written.answers) {
    BOOST_TEST((reply.finding != Finding::failed), reply.question << ": " << reply.sentence);
    BOOST_TEST(reply.figures.empty() == (reply.finding == Finding::not_modelled));
    asked.push_back(reply.question);
  }
  Words listed = names_in(run({"ask"}).out);
  std::ranges::sort(asked), std::ranges::sort(listed);  // the list is by subject
  BOOST_TEST(listed.size() > 30u);
  BOOST_TEST(asked == listed, boost::test_tools::per_element());
  const Outcome again = run({"show", "new.json"}).ended(0);
  BOOST_TEST(again.out == all.out);
}

BOOST_AUTO_TEST_CASE(answers_the_questions_that_are_named) {
  const Outcome two = run({"ask", "two_streams", "free_waits", "--json", "new.json"}).ended(0);
  BOOST_TEST(two.out.find("two_streams") < two.out.find("free_waits"));
  for (const char* words : {"\nAnswer ", "\nMeans ", "\nDocumented ", "\nfigure ", " median "}) {
    BOOST_TEST(contains(two.out, words));
  }
  const Outcome one = run({"show", "new.json", "free_waits"}).ended(0);
  BOOST_TEST(contains(one.out, "Does cudaFree wait"));
  BOOST_TEST(!contains(one.out, "two_streams"));
  BOOST_TEST(contains(run({"show", "new.json", "--markdown"}).out, "- **Answer** Yes"));
}

BOOST_AUTO_TEST_CASE(the_answers_alone_stand_by_subject) {
  const Outcome quiet = run({"ask", "two_streams", "free_waits", "--quiet", "--json", "new.json"});
  BOOST_TEST(quiet.code == 0);
  BOOST_TEST(contains(quiet.out,
                      "\nMemory\n\n"
                      "free_waits   Does cudaFree wait for running kernels? Yes.\n\nGraphs\n\n"
                      "two_streams  Does one executable graph, launched on two streams, run side "
                      "by side? No.\n"));
  BOOST_TEST(run({"show", "new.json", "--quiet"}).out == quiet.out);
  BOOST_TEST(contains(run({"show", "new.json", "--quiet", "--markdown"}).out,
                      "### Memory\n\n- **free_waits** Does cudaFree"));
}

BOOST_AUTO_TEST_CASE(says_what_is_not_modelled_and_by_what_it_lacks) {
  const Outcome lacking = run({"ask", "host_function_late"}).ended(0);
  BOOST_TEST(contains(lacking.out, "Not modelled: "));
  BOOST_TEST(!contains(lacking.out, "\nfigure "));
}

BOOST_AUTO_TEST_CASE(processes_answer_together) {
  const Outcome outcome = run(
      {"ask", "free_waits", "waiting", "--processes", "3", "--seed", "4", "--json", "new.json"});
  BOOST_TEST_CONTEXT(outcome.err << outcome.out) {
    BOOST_TEST(outcome.code == 0);
    BOOST_TEST(outcome.says("[3/3] process with seed 6: done"));
  }
  const Replies written = replies_from_json(content_of_file("new.json"));
  BOOST_TEST(contains(written.context.command_line, "--processes 3"));
  BOOST_TEST(written.seed == 4u);
  BOOST_TEST_REQUIRE(written.answers.size() == 2u);
  for (const Reply& reply : written.answers) BOOST_TEST(reply.processes->size() == 3u);
  BOOST_TEST((written.answers[0].finding == Finding::yes));
  BOOST_TEST(written.answers[0].figures.at(0).samples.size() == 3 * 4u);  // a third of 12 each
  BOOST_TEST((written.answers[1].finding == Finding::not_modelled));
  BOOST_TEST(run({"show", "new.json"}).out == outcome.out);
}

BOOST_AUTO_TEST_CASE(a_process_that_leaves_nothing_ends_the_questions_with_its_message) {
  const Outcome outcome =
      run({"ask", "free_waits", "--processes", "2", "--device", "7", "--json", "new.json"});
  BOOST_TEST_CONTEXT(outcome.err) {
    BOOST_TEST(outcome.code == 2);
    BOOST_TEST(outcome.says("process 1 of 2 ended with exit code 2 and left no results: "));
    BOOST_TEST(outcome.says("there is 1 device here; use 0"));
  }
  BOOST_TEST(!std::filesystem::exists("new.json"));
}

BOOST_AUTO_TEST_CASE(an_error_that_loses_the_device_is_the_last_answer) {
  const Outcome outcome = run({"ask", "free_waits", "two_streams", "--fault", "100=700"}).ended(1);
  BOOST_TEST_INFO_SCOPE(outcome.err << outcome.out);
  BOOST_TEST(contains(outcome.out, "Failed: cudaErrorIllegalAddress"));
  BOOST_TEST(outcome.says("not run after an error: two_streams"));
}

BOOST_AUTO_TEST_CASE(what_is_not_there_is_refused) {
  BOOST_TEST(run({"ask", "free_waits", "--json", "new.json"}).code == 0);
  check_refused({"ask", "free_wait"}, "did you mean 'free_waits'?");
  check_refused({"ask", "--all", "free_waits"}, "--all asks every question");
  check_refused({"ask", "free_waits", "--json", "old"}, "--json 'old'");
  check_refused({"show", "new.json", "free_wait"}, "did you mean 'free_waits'?");
  check_refused({"show", "new.json", "two_streams"}, "choose from free_waits");
  for (const char* option : {"--all", "--bounds", "--setup", "--timeline"}) {
    check_refused({"show", "new.json", option}, "is not for such a file");
  }
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_FIXTURE_TEST_SUITE(simulated_loop_files, Workplace,
                         *boost::unit_test::precondition(for_the_simulated_device))

BOOST_AUTO_TEST_CASE(compares_both_loops_and_writes_what_can_be_shown_again) {
  const Outcome both = run({"loop", "--items", "5", "--json", "new.json"}).ended(0);
  BOOST_TEST(loops_from_json(content_of_file("new.json")).loops.size() == 2u);
  const Outcome again = run({"show", "new.json"}).ended(0);
  BOOST_TEST(again.out == both.out);
  const Outcome one = run({"show", "new.json", "swarm"});
  BOOST_TEST(contains(one.out, "swarm: 8 lanes"));
  BOOST_TEST(!contains(one.out, "pair: 2 lanes"));
  BOOST_TEST(contains(run({"show", "new.json", "--markdown"}).out, "| event_polled "));
}

BOOST_AUTO_TEST_CASE(processes_loop_together) {
  const Outcome outcome =
      run({"loop", "pair", "--items", "2", "--processes", "2", "--json", "new.json"});
  BOOST_TEST_CONTEXT(outcome.err << outcome.out) {
    BOOST_TEST(outcome.code == 0);
    BOOST_TEST(outcome.says("[2/2] process with seed 2: done"));
    BOOST_TEST(contains(outcome.out, "Intervals are for another run of 2 processes."));
  }
  const LoopResults written = loops_from_json(content_of_file("new.json"));
  const LoopMeasurement& first = written.loops.at(0).measurements.at(0);
  BOOST_TEST(first.turns.size() == 2 * 10u);  // half of 20 each
  BOOST_TEST(first.turns.back().process.value() == 1u);
  BOOST_TEST(run({"show", "new.json"}).out == outcome.out);
}

BOOST_AUTO_TEST_CASE(what_is_not_there_is_refused) {
  BOOST_TEST(run({"loop", "pair", "--items", "2", "--json", "new.json"}).code == 0);
  check_refused({"loop", "pear"}, "choose from pair, swarm");
  check_refused({"loop", "--teller", "event_poled"}, "did you mean 'event_polled'?");
  check_refused({"loop", "--items", "0"}, "a whole number from 1 to ");
  check_refused({"show", "new.json", "swarm"}, "choose from pair");
  for (const char* option : {"--bounds", "--quiet"}) {
    check_refused({"show", "new.json", option}, "is not for such a file");
  }
}

BOOST_AUTO_TEST_SUITE_END()
