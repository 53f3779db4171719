// The median of several calibrations.

#include "common/measure/calibrate/bed.hpp"

#include "tests/framework.hpp"

BOOST_AUTO_TEST_SUITE(middle_of_profiles)

Profile profile_of(double figure) {
  Profile profile;
  profile.name = "a GPU";
  profile.multiprocessors = 132;
  profile.calls_us = {{"cudaEventRecord", figure}, {"cudaGraphLaunch", 10 * figure}};
  profile.stream.enqueue[2] = {{4, figure}, {4096, -figure}};
  profile.stream.latency_us[1][3] = figure;
  profile.graph.start_us = figure;
  profile.kernels = {{true, 1024, 1, 4, figure, 2 * figure, 3 * figure}};
  profile.memory.free = {{4096, figure}};
  return profile;
}

BOOST_AUTO_TEST_CASE(a_median_is_the_middle_or_between_the_two_middle_ones) {
  BOOST_TEST(median(std::vector<double>{3, 1, 2}) == 2);
  BOOST_TEST(median(std::vector<double>{4, 1, 3, 2}) == 2.5);
  BOOST_TEST(median(std::vector<double>{7}) == 7);
}

BOOST_AUTO_TEST_CASE(every_figure_is_the_median_over_all) {
  const Profile found = middle({profile_of(5), profile_of(100), profile_of(1)});
  BOOST_TEST((found.calls_us == profile_of(5).calls_us));
  BOOST_TEST(found.stream.enqueue[2][0].us == 5);
  BOOST_TEST(found.stream.enqueue[2][1].us == -5);
  BOOST_TEST(found.stream.latency_us[1][3] == 5);
  BOOST_TEST(found.graph.start_us == 5);
  BOOST_TEST(found.kernels[0].us == 5);
  BOOST_TEST(found.kernels[0].round_us == 10);
  BOOST_TEST(found.kernels[0].share == 15);
  BOOST_TEST(found.memory.free[0].us == 5);
}

BOOST_AUTO_TEST_CASE(figures_are_judged_one_by_one) {
  Profile one = profile_of(1), two = profile_of(2), three = profile_of(3);
  one.graph.start_us = 30;
  const Profile found = middle({one, two, three});
  BOOST_TEST(found.graph.start_us == 3);
  BOOST_TEST(found.stream.latency_us[1][3] == 2);
}

BOOST_AUTO_TEST_CASE(what_is_not_measured_stays) {
  const Profile found = middle({profile_of(1), profile_of(2)});
  BOOST_TEST(found.name == "a GPU");
  BOOST_TEST(found.multiprocessors == 132);
  BOOST_TEST(found.kernels[0].words == 1024u);
  BOOST_TEST(found.stream.enqueue[2][1].bytes == 4096u);
}

BOOST_AUTO_TEST_SUITE_END()
