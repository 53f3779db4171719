// Workloads drawn by a seed.
#include "common/model/workload/drawn.hpp"

#include "tests/framework.hpp"

BOOST_AUTO_TEST_SUITE(drawn)

BOOST_AUTO_TEST_CASE(a_seed_draws_the_same_shapes_everywhere) {
  std::vector<std::string> shapes;
  for (const Workload& one : drawn_workloads(3, 7)) shapes.push_back(one.name + ": " + one.shape());
  const std::vector<std::string> expected{
      "drawn-1: 118 chunks x 11.3 KiB, 5 lanes, depth 6, 92 rounds, breadth first",
      "drawn-2: 82 chunks x 17.5 KiB, 6 lanes, depth 10, 725 rounds",
      "drawn-3: 4 chunks x 1.5 KiB in, 84 B out, 8 lanes, depth 1, 3 rounds, breadth first"};
  BOOST_TEST(shapes == expected, boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(a_longer_list_begins_with_a_shorter_one) {
  const auto some = drawn_workloads(5, 3), more = drawn_workloads(50, 3),
             other = drawn_workloads(5, 4);
  for (std::size_t i = 0; i < some.size(); ++i) {
    BOOST_TEST(some[i].shape() == more[i].shape());
    BOOST_TEST(some[i].shape() != other[i].shape());
  }
}

BOOST_AUTO_TEST_CASE(every_kind_is_drawn_and_none_is_out_of_range) {
  std::set<std::uint32_t> chunks, lanes, depths;
  std::size_t small_results = 0, breadth_first = 0, one_chunk = 0, many_rounds = 0;
  const auto all = drawn_workloads(2000, 1);
  for (const Workload& one : all) {
    BOOST_TEST_CONTEXT(one.shape()) {
      BOOST_TEST((one.chunks() >= 1 && one.chunks() <= 200));
      BOOST_TEST((one.chunk_bytes >= 1 << 10 && one.chunk_bytes <= 12 << 20));
      BOOST_TEST((one.result_bytes >= 4 && one.result_bytes <= one.chunk_bytes));
      BOOST_TEST(one.chunk_bytes % word_bytes + one.result_bytes % word_bytes == 0u);
      BOOST_TEST((one.rounds >= 1 && one.rounds <= 2000));
      BOOST_TEST(one.bytes <= 192u << 20);
      BOOST_TEST(double(one.bytes / 4) * one.rounds * one.depth <= 0x1p36);
    }
    chunks.insert(one.chunks());
    lanes.insert(one.lanes);
    depths.insert(one.depth);
    small_results += one.result_bytes < one.chunk_bytes;
    breadth_first += one.order == Order::breadth_first;
    one_chunk += one.chunks() == 1;
    many_rounds += one.rounds > 1000;
  }
  BOOST_TEST(*lanes.begin() == 1u);
  BOOST_TEST(lanes.size() == 8u);
  BOOST_TEST(depths.size() == 10u);
  BOOST_TEST(*chunks.rbegin() > 190u);
  BOOST_TEST((small_results > all.size() / 5 && small_results < all.size() / 3));
  BOOST_TEST((breadth_first > all.size() * 2 / 5 && breadth_first < all.size() * 3 / 5));
  BOOST_TEST((one_chunk > all.size() / 20 && many_rounds > all.size() / 40));
}

BOOST_AUTO_TEST_SUITE_END()
