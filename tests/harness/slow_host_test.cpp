#include "common/harness/rounds/slow_host.hpp"

#include <boost/test/unit_test.hpp>
#include <vector>

using namespace trilane;

namespace {

/// Two variants, whose turns come one after the other on hosts as fast as the rounds say.
struct Fixture {
  SlowHost host{3};
  Comparison comparison;
  std::uint32_t rounds = 0;

  Fixture() { comparison.measurements.resize(2); }

  bool round(double host_us, double of_one_turn_us = 0) {
    for (Measurement& m : comparison.measurements) {
      const bool first = &m == &comparison.measurements.front();
      host.note(first && of_one_turn_us > 0 ? of_one_turn_us : host_us);
      if (&m == &comparison.measurements.back()) host.note(host_us);
      m.samples.push_back({.wall_us = 1, .round = rounds});
    }
    ++rounds;
    return host.end_round(comparison);
  }

  static std::vector<std::uint32_t> rounds_in(const std::vector<Sample>& samples) {
    std::vector<std::uint32_t> all;
    for (const Sample& sample : samples) all.push_back(sample.round);
    return all;
  }
  std::vector<std::uint32_t> kept() const { return rounds_in(comparison.measurements[1].samples); }
  std::vector<std::uint32_t> aside() const {
    return rounds_in(comparison.measurements[1].set_aside);
  }
};

using Rounds = std::vector<std::uint32_t>;

}  // namespace

BOOST_AUTO_TEST_SUITE(slow_host)

BOOST_FIXTURE_TEST_CASE(slow_rounds_are_set_aside_as_soon_as_enough_others_are_left, Fixture) {
  for (const double us : {10.0, 10.0, 10.0, 8.0, 8.0}) BOOST_TEST(!round(us));
  BOOST_TEST((kept() == Rounds{0, 1, 2, 3, 4}));  // without the slow ones, two would be left
  BOOST_TEST(round(8));
  BOOST_TEST((kept() == Rounds{3, 4, 5}));
  BOOST_TEST((aside() == Rounds{0, 1, 2}));
  BOOST_TEST(!round(8));
  BOOST_TEST((kept() == Rounds{3, 4, 5, 6}));
}

BOOST_FIXTURE_TEST_CASE(they_come_back_when_faster_ones_leave_too_few, Fixture) {
  for (const double us : {10.0, 10.0, 10.0, 8.0, 8.0, 8.0}) round(us);
  BOOST_TEST((aside() == Rounds{0, 1, 2}));
  round(5);
  BOOST_TEST(round(5));  // all but the last two are slow against these
  BOOST_TEST(aside().empty());
  BOOST_TEST((kept() == Rounds{0, 1, 2, 3, 4, 5, 6, 7}));
  BOOST_TEST(round(5));
  BOOST_TEST((kept() == Rounds{6, 7, 8}));
}

BOOST_FIXTURE_TEST_CASE(one_interrupted_turn_does_not_make_a_round_slow, Fixture) {
  for (int i = 0; i < 5; ++i) round(8);
  BOOST_TEST(!round(8, 30));
  BOOST_TEST(!round(8));
  BOOST_TEST(kept().size() == 7u);
}

BOOST_FIXTURE_TEST_CASE(samples_keep_their_order_and_every_variant_the_same_rounds, Fixture) {
  for (const double us : {8.0, 8.0, 8.0, 10.0, 10.0, 10.0, 8.0, 8.0, 8.0}) round(us);
  for (const Measurement& m : comparison.measurements) {
    BOOST_TEST((rounds_in(m.samples) == Rounds{0, 1, 2, 6, 7, 8}));
    BOOST_TEST((rounds_in(m.set_aside) == Rounds{3, 4, 5}));
  }
}

BOOST_AUTO_TEST_SUITE_END()
