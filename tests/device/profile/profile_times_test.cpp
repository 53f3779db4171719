// Times between measured points: kernels by their shape, other things by their size.
#include "tests/device/profile/full_profile.hpp"

BOOST_AUTO_TEST_SUITE(profile_times)

void check_time(const KernelSize& size, double us, double share) {
  Profile profile;
  profile.kernels = some_kernels;
  const KernelTime time = profile.kernel_time(size);
  const double tolerance = 1e-9;  // percent
  BOOST_CHECK_CLOSE(time.us, us, tolerance);
  BOOST_CHECK_CLOSE(time.share, share, tolerance);
}

KernelSize reducing(std::uint64_t words, std::uint64_t outputs) {
  return {.reduces = true, .words = words, .outputs = outputs, .blocks = 0, .rounds = 1};
}

KernelSize for_each(std::uint64_t words, std::uint32_t rounds) {
  return {.reduces = false, .words = words, .outputs = words, .blocks = 0, .rounds = rounds};
}

BOOST_AUTO_TEST_CASE(a_measured_kernel_takes_what_was_measured) {
  check_time(for_each(256, 1), 2, 0);
  check_time(for_each(4096, 1), 8, 0);
  check_time(reducing(1024, 4), 16, 0.25);
  check_time(reducing(16384, 64), 16, 1);
}

BOOST_AUTO_TEST_CASE(each_round_more_takes_its_time) {
  check_time(for_each(4096, 3), 9, 0);
  check_time(for_each(1024, 101), 54, 0);
  check_time(for_each(4096, 0), 8, 0);
}

BOOST_AUTO_TEST_CASE(between_measured_shapes_lines_are_straight_in_logarithms) {
  check_time(for_each(1024, 1), 4, 0);  // halfway from 2 to 8
  check_time(reducing(1024, 16), 8, 0.125 * std::sqrt(8.0));
  check_time(reducing(4096, 4), 32, 0.125 * std::sqrt(8.0));
  check_time(reducing(4096, 16), 16, 0.5);
}

BOOST_AUTO_TEST_CASE(beyond_the_largest_the_last_line_goes_on) {
  check_time(for_each(65536, 1), 32, 0);
  check_time(reducing(1024, 1024), 1, 1);
  check_time(reducing(262144, 4), 256, 1);  // and a share is at most 1
  check_time(reducing(262144, 1024), 16, 1);
}

BOOST_AUTO_TEST_CASE(no_operation_takes_longer_than_the_simulated_clock_can_hold) {
  Profile profile;
  profile.kernels = {{.words = 1, .outputs = 1, .us = 1e-300, .round_us = 1},
                     {.words = 2, .outputs = 2, .us = 1e6, .round_us = 1e6}};
  BOOST_TEST(profile.kernel_time(for_each(1u << 30, 1)).us == longest_operation_us);
  BOOST_TEST(profile.kernel_time(for_each(2, 1'000'000'000)).us == longest_operation_us);
  BOOST_TEST(at_size({{4, 0}, {8, 1e7}}, std::uint64_t{1} << 40) == longest_operation_us);
}

BOOST_AUTO_TEST_CASE(below_the_smallest_a_kernel_takes_as_long_as_that) {
  check_time(for_each(1, 1), 2, 0);
  check_time(for_each(0, 1), 2, 0);
  check_time(reducing(8, 1), 16, 0.25);
  check_time(reducing(8, 64), 4, 0.5);
}

BOOST_AUTO_TEST_CASE(the_order_and_gaps_of_the_measured_shapes_do_not_matter) {
  Profile turned;
  turned.kernels.assign(some_kernels.rbegin(), some_kernels.rend());
  BOOST_TEST(turned.kernel_time(reducing(4096, 16)).us == 16, boost::test_tools::tolerance(1e-9));
  std::erase_if(turned.kernels, [](const KernelCost& kernel) {
    return kernel.words == 1024 && kernel.outputs == 64;
  });
  BOOST_TEST(turned.kernel_time(reducing(4096, 64)).us == 16, boost::test_tools::tolerance(1e-9));
}

BOOST_AUTO_TEST_CASE(the_nearest_shapes_of_the_kind_count) {
  Profile bent;
  bent.kernels = {{.words = 4, .outputs = 4, .us = 1},
                  {.words = 16, .outputs = 16, .us = 1},
                  {.words = 64, .outputs = 64, .us = 4},
                  {.reduces = true, .words = 16, .outputs = 8, .us = 50},
                  {.reduces = true, .words = 32, .outputs = 8, .us = 50}};
  for (const auto& [words, us] : {std::pair{8, 1.0}, {16, 1.0}, {32, 2.0}, {128, 8.0}}) {
    const double found = bent.kernel_time(for_each(static_cast<std::uint64_t>(words), 1)).us;
    BOOST_TEST(found == us, boost::test_tools::tolerance(1e-9));
  }
}

BOOST_AUTO_TEST_CASE(a_figure_of_zero_rises_to_the_next_and_no_further) {
  Profile profile;
  profile.kernels = {{.words = 4, .outputs = 4, .round_us = 0},
                     {.words = 16, .outputs = 16, .round_us = 2}};
  BOOST_TEST(profile.kernel_time(for_each(8, 2)).us == 1, boost::test_tools::tolerance(1e-9));
  BOOST_TEST(profile.kernel_time(for_each(64, 2)).us == 2);
}

BOOST_AUTO_TEST_CASE(without_measured_kernels_they_take_nothing) {
  BOOST_TEST(Profile{}.kernel_time(for_each(256, 9)).us == 0);
  BOOST_TEST(Profile{}.kernel_time(for_each(256, 9)).share == 1);
}

BOOST_AUTO_TEST_CASE(costs_by_size_lie_on_straight_lines) {
  const std::vector<SizeCost> costs = {{10, 1}, {20, 3}, {40, 4}};
  for (const auto& [bytes, us] :
       {std::pair{0, 1.0}, {10, 1.0}, {15, 2.0}, {20, 3.0}, {30, 3.5}, {40, 4.0}, {80, 6.0}}) {
    BOOST_TEST(at_size(costs, static_cast<std::uint64_t>(bytes)) == us, bytes << " bytes");
  }
}

BOOST_AUTO_TEST_CASE(beyond_the_last_size_no_cost_falls) {
  const std::vector<SizeCost> falling = {{10, 4}, {20, 3}};
  BOOST_TEST(at_size(falling, 15) == 3.5);
  BOOST_TEST(at_size(falling, 30) == 3);
}

BOOST_AUTO_TEST_CASE(few_sizes_still_give_a_cost) {
  BOOST_TEST(at_size({}, 7) == 0);
  BOOST_TEST(at_size({{10, 4}}, 7) == 4);
  BOOST_TEST(at_size({{10, 4}}, 10) == 4);
  BOOST_TEST(at_size({{10, 4}}, 1'000'000) == 4);
}

BOOST_AUTO_TEST_CASE(the_host_writes_copies_in_up_to_where_its_time_falls) {
  Profile::Stream stream;
  BOOST_TEST(stream.carried_bytes() == 0);
  auto& copies = stream.enqueue[index_of(Kind::copy_in)];
  copies = {{4, 1}, {24, 4}, {28, 2}, {64, 2}};
  BOOST_TEST(stream.carried_bytes() == 24);
  copies = {{4, 2}, {8, 1.9}, {24, 4}, {28, 2}};  // noise below
  BOOST_TEST(stream.carried_bytes() == 24);
  copies.resize(3);
  BOOST_TEST(stream.carried_bytes() == 0);
}

BOOST_AUTO_TEST_CASE(a_memset_is_a_kernel_where_it_costs_the_host_about_as_much) {
  constexpr std::uint64_t large = 1 << 30;
  Profile::Stream stream;
  BOOST_TEST(stream.kernel_memset_bytes() > large);
  stream.enqueue[index_of(Kind::kernel)] = {{4, 5}};
  auto& memsets = stream.enqueue[index_of(Kind::memset)];
  memsets = {{4, 1}, {100, 1}, {110, 4}, {200, 4}};
  BOOST_TEST(stream.kernel_memset_bytes() == 107);  // more than 3 us
  memsets.resize(2);
  BOOST_TEST(stream.kernel_memset_bytes() > large);
}

BOOST_AUTO_TEST_SUITE_END()
