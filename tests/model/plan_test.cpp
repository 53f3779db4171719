// Plans compared with evidence.
#include "common/model/variant/plan.hpp"

#include <boost/test/unit_test.hpp>

using namespace trilane;

BOOST_AUTO_TEST_SUITE(plan)

BOOST_AUTO_TEST_CASE(evidence_that_meets_the_plan_is_no_mismatch) {
  const std::vector<Expectation> expected{{"kernel nodes", 64, false}, {"reserved bytes", 1, true}};
  BOOST_TEST(mismatches(expected, {{"kernel nodes", 64}, {"reserved bytes", 1}}).empty());
  BOOST_TEST(
      mismatches(expected, {{"reserved bytes", 99}, {"kernel nodes", 64}, {"more", 1}}).empty());
  BOOST_TEST(mismatches({}, {}).empty());
}

BOOST_AUTO_TEST_CASE(every_miss_is_told_with_both_numbers) {
  const std::vector<Expectation> expected{{"a", 64, false}, {"b", 10, true}, {"c", 0, false}};
  const std::vector<std::string> misses = mismatches(expected, {{"a", 65}, {"b", 9}});
  const std::vector<std::string> right{"a: planned 64, the runtime reports 65",
                                       "b: planned at least 10, the runtime reports 9",
                                       "c: planned 0, the runtime reports nothing"};
  BOOST_TEST(misses == right, boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(a_right_report_does_not_hide_a_wrong_one) {
  BOOST_TEST(mismatches({{"a", 1, false}}, {{"a", 1}, {"a", 2}}).size() == 1);
  BOOST_TEST(mismatches({{"a", 1, false}}, {{"a", 0}}).size() == 1);
}

BOOST_AUTO_TEST_SUITE_END()
