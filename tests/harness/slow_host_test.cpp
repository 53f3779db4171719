#include "common/harness/rounds/slow_host.hpp"

#include <fmt/format.h>

#include <boost/test/unit_test.hpp>
#include <cmath>
#include <vector>

#include "common/analysis/statistics/coverage.hpp"
#include "common/analysis/statistics/paired_ratio.hpp"
#include "tests/analysis/statistics/noise.hpp"

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
}

BOOST_FIXTURE_TEST_CASE(a_host_that_is_slow_most_of_the_time_is_taken_as_it_is, Fixture) {
  for (int i = 0; i < 16; ++i) round(10);
  for (int i = 0; i < 7; ++i) BOOST_TEST(!round(8));
  BOOST_TEST(aside().empty());
  BOOST_TEST(round(8));
  BOOST_TEST(aside().size() == 16u);
  BOOST_TEST(kept().size() == 8u);
}

BOOST_FIXTURE_TEST_CASE(looks_when_the_rounds_have_grown_by_a_hundredth_and_when_told, Fixture) {
  for (int i = 0; i < 1003; ++i) round(8);  // looks come after 996 and 1005, not after 1008
  const std::size_t before = kept().size();
  for (int i = 0; i < 5; ++i) round(10);
  BOOST_TEST(before == 1003u);
  BOOST_TEST(kept().size() > 1003u);
  BOOST_TEST(host.look(comparison));
  BOOST_TEST(kept().size() == 1003u);
  BOOST_TEST((aside() == Rounds{1003, 1004, 1005, 1006, 1007}));
  BOOST_TEST(!host.look(comparison));
}

BOOST_FIXTURE_TEST_CASE(one_interrupted_turn_does_not_make_a_round_slow, Fixture) {
  for (int i = 0; i < 5; ++i) round(8);
  BOOST_TEST(!round(8, 30));
  BOOST_TEST(!round(8));
  BOOST_TEST(kept().size() == 7u);
}

BOOST_FIXTURE_TEST_CASE(every_further_round_of_a_spell_is_set_aside_at_once, Fixture) {
  for (int i = 0; i < 6; ++i) round(8);
  for (int i = 0; i < 3; ++i) round(10);
  BOOST_TEST((aside() == Rounds{6, 7, 8}));
  BOOST_TEST(round(10));
  BOOST_TEST((aside() == Rounds{6, 7, 8, 9}));
}

BOOST_FIXTURE_TEST_CASE(all_turns_of_a_round_count, Fixture) {
  for (int i = 0; i < 5; ++i) round(8);
  for (int i = 0; i < 3; ++i) round(10, 8);
  BOOST_TEST((aside() == Rounds{5, 6, 7}));
}

BOOST_FIXTURE_TEST_CASE(samples_keep_their_order_and_every_variant_the_same_rounds, Fixture) {
  for (const double us : {8.0, 8.0, 8.0, 10.0, 10.0, 10.0, 8.0, 8.0, 8.0}) round(us);
  for (const Measurement& m : comparison.measurements) {
    BOOST_TEST((rounds_in(m.samples) == Rounds{0, 1, 2, 6, 7, 8}));
    BOOST_TEST((rounds_in(m.set_aside) == Rounds{3, 4, 5}));
  }
}

/// Streams, which take 40% longer while the host is slow, and a variant that makes no calls, of
/// which the truth is twice as fast. The host is slow for ten rounds at a time, in a quarter of
/// all.
Comparison with_spells(Draw& draw, std::uint32_t rounds, std::uint32_t& slow_rounds) {
  SlowHost host(20);
  Comparison comparison;
  comparison.measurements.resize(2);
  bool slow = draw.chance(0.25);
  for (std::uint32_t round = 0; round < rounds; ++round) {
    if (draw.chance(slow ? 0.1 : 0.033)) slow = !slow;
    slow_rounds += slow;
    for (int v = 0; v < 2; ++v) {
      const double longer = slow && v == 0 ? 1.4 : 1;
      const double us = (v == 0 ? 1000 : 500) * longer * std::exp(0.02 * draw.normal());
      host.note(8 * (slow ? 1.15 : 1) * std::exp(0.01 * draw.normal()));
      comparison.measurements[static_cast<std::size_t>(v)].samples.push_back(
          {.wall_us = us, .round = round});
    }
    host.end_round(comparison);
  }
  return comparison;
}

BOOST_AUTO_TEST_CASE(intervals_hold_the_truth_of_an_undisturbed_host) {
  constexpr std::size_t comparisons = 1000;
  for (const std::uint32_t rounds : {60u, 200u}) {
    Draw draw(rounds);
    std::size_t held = 0, aside = 0, mostly_slow = 0;
    for (std::size_t i = 0; i < comparisons; ++i) {
      std::uint32_t slow = 0;
      const Comparison comparison = with_spells(draw, rounds, slow);
      const std::vector<Measurement>& ms = comparison.measurements;
      if (ms[0].set_aside.empty() && 2 * slow > rounds) {  // the usual speed of that host
        ++mostly_slow;
        continue;
      }
      const auto ratio = paired_ratio(ms[1].samples, ms[0].samples);
      held += ratio->low <= 0.5 && 0.5 <= ratio->high;
      aside += ms[0].set_aside.size();
    }
    const std::size_t judged = comparisons - mostly_slow;
    const double p = binomial_test(held, judged, 0.95);
    const double share = static_cast<double>(aside) / static_cast<double>(comparisons * rounds);
    BOOST_TEST_CONTEXT(fmt::format("{} rounds: {} of {} held the truth, p {:.4f}; {:.2f} aside",
                                   rounds, held, judged, p, share)) {
      BOOST_TEST((p >= 0.005 || 100 * held >= 95 * judged));
      BOOST_TEST(20 * mostly_slow < comparisons);
      BOOST_TEST(share > 0.1);
    }
  }
}

BOOST_AUTO_TEST_SUITE_END()
