// Suggestions for a mistyped name.
#include <boost/test/unit_test.hpp>

#include "common/base/text/choice.hpp"

using namespace trilane;

BOOST_AUTO_TEST_SUITE(suggestion)

namespace {

const std::vector<std::string> known{"serial", "streams", "graph", "graph_built", "pool", "malloc"};

}  // namespace

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
