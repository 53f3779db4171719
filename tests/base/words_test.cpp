#include "common/base/text/words.hpp"

#include <boost/test/unit_test.hpp>

#include "common/base/text/choice.hpp"

using namespace trilane;

BOOST_AUTO_TEST_SUITE(words)

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

BOOST_AUTO_TEST_SUITE_END()
