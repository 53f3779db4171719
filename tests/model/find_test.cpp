#include "common/model/results/find.hpp"

#include <boost/test/unit_test.hpp>

using namespace trilane;

BOOST_AUTO_TEST_SUITE(find)

BOOST_AUTO_TEST_CASE(records_are_found_by_name) {
  Comparison comparison;
  comparison.measurements.resize(2);
  comparison.measurements[1].variant = "graph";
  BOOST_TEST(find_variant(comparison, "graph") == &comparison.measurements[1]);
  BOOST_TEST(find_variant(comparison, "pool") == nullptr);
  comparison.reference = "graph";
  BOOST_TEST(find_reference(comparison) == &comparison.measurements[1]);
  BOOST_TEST(value_of({{"a", "1"}, {"b", "2"}}, "b") == "2");
  BOOST_TEST(value_of({{"a", "1"}}, "c") == "");
}

BOOST_AUTO_TEST_SUITE_END()
