// Pages on a recorded application's replay say nothing that holds only for Trilane's own pipeline.
#include <boost/test/unit_test.hpp>

#include "common/explain/report/report.hpp"
#include "common/explain/report/screen.hpp"
#include "tests/application/iteration/made_up_replay.hpp"
#include "tests/base/mentions.hpp"

using namespace trilane;

BOOST_AUTO_TEST_SUITE(report_application)

namespace {

Results replayed() {
  Results results;
  results.context.gpu = {{"name", "NVIDIA Example 100"}};
  results.comparisons = {
      made_up_replay({candidate("calls", 300), candidate("graph", 100),
                      candidate("fewer_waits", 50, Chaining::recorded_one_wait)})};
  return results;
}

/// Returns the words in the page that are about a pipeline.
std::vector<std::string> strange_words(const Page& page) {
  const std::string text = on_one_line(as_text(page));
  std::vector<std::string> found;
  for (const char* word : {"chunk", "lane", "preset", "variant", "tier", "same operations", "pass",
                           "with a star", "streams are", "limit", "round,"}) {
    if (mentions(text, {word})) found.emplace_back(word);
  }
  return found;
}

}  // namespace

BOOST_AUTO_TEST_CASE(the_screen_is_about_candidates) {
  const Page page = screen_page(replayed(), "");
  BOOST_TEST(strange_words(page).empty(), as_text(page));
  const std::string text = on_one_line(as_text(page));
  BOOST_TEST(mentions(text, {"NVIDIA Example 100: ./app --fast, 3 candidates"}));
  BOOST_TEST(mentions(text, {"Answer"}));
  BOOST_TEST(mentions(text, {"Graph?"}));
  BOOST_TEST(strange_words(answers_page(replayed())).empty());
}

BOOST_AUTO_TEST_CASE(every_page_is_about_an_iteration) {
  const Results results = replayed();
  const Comparison& comparison = results.comparisons.front();
  const std::string times = on_one_line(as_text(times_page(comparison, "")));
  BOOST_TEST(mentions(times, {"21 timed iterations"}));
  BOOST_TEST(mentions(times, {"Submit: the host's calls without its waits."}));
  BOOST_TEST(!mentions(times, {"calls *"}));
  BOOST_TEST(!mentions(times, {"same operations"}));
  BOOST_TEST(!mentions(as_text(timeline_page(comparison, "")), {"run with --trace"}));
}

BOOST_AUTO_TEST_SUITE_END()
