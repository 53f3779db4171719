#include "common/model/workload/random.hpp"

#include "tests/framework.hpp"

BOOST_AUTO_TEST_SUITE(random_numbers)

BOOST_AUTO_TEST_CASE(the_engine_is_the_one_that_the_standard_fixes) {
  Random random(5489);  // its default seed; the standard states the ten-thousandth number
  for (int i = 1; i < 10000; ++i) random.next();
  BOOST_TEST(random.next() == 9981545732273789042u);
}

BOOST_AUTO_TEST_CASE(below_stays_below) {
  Random random(1);
  for (const std::uint64_t bound : {1ull, 2ull, 3ull, 1000ull, (1ull << 63) + 1, ~0ull}) {
    for (int i = 0; i < 200; ++i) BOOST_TEST(random.below(bound) < bound);
  }
}

BOOST_AUTO_TEST_CASE(below_is_even_where_a_bare_remainder_is_not) {
  // With three quarters of the range as bound, a remainder alone gives the lower third twice.
  constexpr std::uint64_t third = 1ull << 62;
  Random random(2);
  std::array<int, 3> counts = {};
  for (int i = 0; i < 30000; ++i) ++counts[random.below(3 * third) / third];
  for (const int count : counts) BOOST_TEST(std::abs(count - 10000) < 400);  // 5 deviations
}

BOOST_AUTO_TEST_CASE(shuffle_gives_every_order_equally_often) {
  Random random(3);
  std::map<std::array<int, 4>, int> counts;
  for (int i = 0; i < 24000; ++i) {
    std::array items = {0, 1, 2, 3};
    shuffle(std::span<int>(items), random);
    ++counts[items];
  }
  BOOST_TEST(counts.size() == 24u);
  for (const auto& [order, count] : counts) BOOST_TEST(std::abs(count - 1000) < 160);
}

BOOST_AUTO_TEST_CASE(shuffle_keeps_the_items_and_repeats_with_the_seed) {
  std::vector<int> one(100), two(100);
  std::iota(one.begin(), one.end(), 0);
  two = one;
  const std::vector<int> sorted = one;
  Random first(9), second(9);
  shuffle(std::span<int>(one), first);
  shuffle(std::span<int>(two), second);
  BOOST_TEST(one == two);
  BOOST_TEST(one != sorted);
  BOOST_TEST(std::is_permutation(one.begin(), one.end(), sorted.begin()));
}

BOOST_AUTO_TEST_CASE(shuffle_of_nothing_and_of_one_draws_nothing) {
  Random random(4), untouched(4);
  std::vector<int> none, one = {7};
  shuffle(std::span<int>(none), random);
  shuffle(std::span<int>(one), random);
  BOOST_TEST(one.front() == 7);
  BOOST_TEST(random.next() == untouched.next());
}

BOOST_AUTO_TEST_CASE(the_order_of_a_seed_never_changes) {
  // A printed seed must repeat a run with any compiler. The order comes from an implementation of
  // MT19937-64 in another language.
  std::vector<int> items = {0, 1, 2, 3, 4, 5};
  Random random(1);
  shuffle(std::span<int>(items), random);
  const std::vector<int> order = {1, 3, 0, 4, 5, 2};
  BOOST_TEST(items == order, boost::test_tools::per_element());
}

BOOST_AUTO_TEST_SUITE_END()
