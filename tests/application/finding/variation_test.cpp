// Constant, alternating and changing values.
#include "common/application/finding/core/digest.hpp"

#include <boost/test/unit_test.hpp>
#include <vector>

using namespace trilane;

BOOST_AUTO_TEST_SUITE(variation)

namespace {

Variation of(const std::vector<std::uint64_t>& values,
             const std::vector<std::uint64_t>& later = {}) {
  return variation_of(values, later);
}

}  // namespace

BOOST_AUTO_TEST_CASE(a_turn_counts_only_when_it_was_seen_twice) {
  BOOST_TEST((of({}) == Variation::constant && of({4}) == Variation::constant));
  BOOST_TEST((of({4, 4, 4}) == Variation::constant));
  BOOST_TEST((of({1, 2, 1, 2, 1}) == Variation::alternates));
  BOOST_TEST((of({1, 1, 2, 1, 1}) == Variation::changes));
  BOOST_TEST((of({1, 2, 3, 1, 2}) == Variation::changes));
  BOOST_TEST((of({1, 2, 3, 1, 2, 3}) == Variation::alternates));
  BOOST_TEST((of({1, 2, 3, 4, 5, 1, 2, 3, 4, 5}) == Variation::alternates));
  BOOST_TEST((of({1, 2, 3, 4, 5, 1, 2, 3, 4, 6}) == Variation::changes));
  BOOST_TEST((of({1, 1, 1, 1, 2}) == Variation::changes));
}

BOOST_AUTO_TEST_CASE(later_values_go_on_anywhere_in_the_turn) {
  BOOST_TEST((of({4, 4, 4}, {4, 4}) == Variation::constant));
  BOOST_TEST((of({4}, {4}) == Variation::constant));
  BOOST_TEST((of({4}, {5}) == Variation::changes));
  BOOST_TEST((of({4, 4, 4, 4, 4}, {5, 5, 5, 5, 5}) == Variation::changes));
  BOOST_TEST((of({4, 4, 4, 4, 4}, {4, 4, 4, 5, 4}) == Variation::changes));
  BOOST_TEST((of({1, 2, 1, 2}, {1, 2, 1}) == Variation::alternates));
  BOOST_TEST((of({1, 2, 1, 2}, {2, 1, 2}) == Variation::alternates));
  BOOST_TEST((of({2, 1, 2}, {1, 2, 1, 2}) == Variation::alternates));
  BOOST_TEST((of({1, 2, 3, 1, 2, 3}, {3, 1}) == Variation::alternates));
  BOOST_TEST((of({1, 2, 3, 1, 2, 3}, {2, 1}) == Variation::changes));
  BOOST_TEST((of({1, 2, 1, 2}, {1, 3}) == Variation::changes));
  BOOST_TEST((of({1, 1, 1, 1}, {1, 2, 1}) == Variation::changes));
}

BOOST_AUTO_TEST_SUITE_END()
