// Words for people, and suggestions for a mistyped name.
#include "common/base/text/words.hpp"

#include <boost/test/unit_test.hpp>

#include "common/base/text/choice.hpp"

using namespace trilane;

BOOST_AUTO_TEST_SUITE(words)

namespace {

const std::vector<std::string> known{"serial", "streams", "graph", "graph_built", "pool", "malloc"};

}  // namespace

BOOST_AUTO_TEST_CASE(lists_end_with_and) {
  BOOST_TEST(listed({}) == "");
  BOOST_TEST(listed({"a"}) == "a");
  BOOST_TEST(listed({"a", "b"}) == "a and b");
  BOOST_TEST(listed({"a", "b", "c"}) == "a, b and c");
}

BOOST_AUTO_TEST_CASE(nouns_follow_their_number) {
  BOOST_TEST(counted(1, "timed pass") == "1 timed pass");
  BOOST_TEST(counted(0, "round") == "0 rounds");
  BOOST_TEST(counted(2, "timed pass") == "2 timed passes");
  BOOST_TEST(counted(3, "batch") == "3 batches");
}

BOOST_AUTO_TEST_CASE(shares_become_percentages) {
  BOOST_TEST(percent(0.05) == "5%");
  BOOST_TEST(percent(0.0025) == "0.25%");
  BOOST_TEST(percent(0.0525, 1) == "5.2%");
  BOOST_TEST(percent(1, 0) == "100%");
}

BOOST_AUTO_TEST_CASE(parts_between_separators_may_be_empty) {
  using Parts = std::vector<std::string>;
  BOOST_TEST(split("", ',') == Parts{""}, boost::test_tools::per_element());
  BOOST_TEST(split("a,,b,", ',') == (Parts{"a", "", "b", ""}), boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(a_slip_of_the_finger_is_understood) {
  BOOST_TEST(closest("graph", known) == "graph");
  BOOST_TEST(closest("grap", known) == "graph");    // a letter missing
  BOOST_TEST(closest("graaph", known) == "graph");  // one too many
  BOOST_TEST(closest("greph", known) == "graph");   // a wrong one
  BOOST_TEST(closest("garph", known) == "graph");   // two swapped
  BOOST_TEST(closest("sreial", known) == "serial");
  BOOST_TEST(closest("Streams", known) == "streams");
}

BOOST_AUTO_TEST_CASE(the_only_name_that_a_word_begins_is_meant) {
  BOOST_TEST(closest("graph_b", known) == "graph_built");
  BOOST_TEST(closest("m", known) == "malloc");
  BOOST_TEST(closest("s", known) == "");  // serial or streams
}

BOOST_AUTO_TEST_CASE(other_words_suggest_nothing) {
  for (const char* word : {"", "x", "loop", "multi-stream", "everything"})
    BOOST_TEST(closest(word, known) == "", word);
  BOOST_TEST(closest(std::string(1'000'000, 'g'), known) == "");
  BOOST_TEST(closest("graph", {}) == "");
  BOOST_TEST(did_you_mean("grap", known) == "did you mean 'graph'? ");
  BOOST_TEST(did_you_mean("loop", known) == "");
}

BOOST_AUTO_TEST_SUITE_END()
