// Which variants a comparison drops, and that the intervals of all of them hold the truth as often
// as they say, whichever were dropped and whenever.
#include "common/harness/rounds/contest.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <boost/math/distributions/students_t.hpp>
#include <boost/test/unit_test.hpp>
#include <cmath>

#include "common/analysis/statistics/coverage.hpp"
#include "common/analysis/statistics/paired_ratio.hpp"
#include "tests/analysis/statistics/noise.hpp"
#include "tests/results/made_up.hpp"

using namespace trilane;

namespace {

using enum Issuer;
using enum Chaining;
using enum ScratchSource;
using enum Mover;

constexpr std::uint32_t min_rounds = 20;

Measurement made_up(const std::string& variant, const Model& model, double wall_us,
                    std::uint32_t rounds = 21) {
  Measurement m = trilane::made_up(variant, 10, wall_us, rounds);
  m.plan.model = model;
  return m;
}

const Model streams_model{host, lanes, lane, engines_per_chunk};
const Model engines_model{host, engines, lane, engines_per_chunk};
const Model threads_model{host_threads, lanes, lane, engines_per_chunk};
const Model graph_model{graph, lanes, lane, engines_per_chunk};

/// What a contest makes of a comparison whose rounds come one after the other.
struct Outcome {
  std::string stopped;
  std::uint32_t rounds = 0;
  std::vector<std::uint32_t> dropped_after;  ///< 0: never
  Comparison comparison;                     ///< the rounds that took place
};

Outcome held(Contest contest, const Comparison& whole, std::uint32_t rounds) {
  const std::size_t variants = whole.measurements.size();
  Outcome outcome{"", 0, std::vector<std::uint32_t>(variants), whole};
  std::vector<std::size_t> next(variants);
  std::vector<bool> dropped(variants);
  for (Measurement& m : outcome.comparison.measurements) m.samples.clear();
  while (outcome.stopped.empty() && outcome.rounds < rounds) {
    for (std::size_t v = 0; v < variants; ++v) {
      const std::vector<Sample>& all = whole.measurements[v].samples;
      for (; next[v] < all.size() && all[next[v]].round == outcome.rounds; ++next[v]) {
        if (!dropped[v]) outcome.comparison.measurements[v].samples.push_back(all[next[v]]);
      }
    }
    outcome.comparison.rounds = ++outcome.rounds;
    outcome.stopped = contest(outcome.comparison, dropped);
    for (std::size_t v = 0; v < variants; ++v) {
      if (dropped[v] && outcome.dropped_after[v] == 0) outcome.dropped_after[v] = outcome.rounds;
    }
  }
  return outcome;
}

Outcome held(std::vector<Measurement> measurements, double precision = 1e-9,
             std::uint32_t rounds = 21) {
  return held(Contest(precision, min_rounds), made_up_comparison(std::move(measurements)), rounds);
}

/// True ratios of variants that do the same: the reference, the best, and others up to twice as
/// slow.
constexpr std::array truths{1.0, 0.95, 0.97, 1.0, 1.03, 1.1, 1.3, 2.0};

Comparison noisy(const Noise& noise, std::uint32_t rounds, std::span<const double> of, Draw& draw) {
  Comparison comparison;
  comparison.reference = "v0";
  const auto samples = noisy_world(noise, rounds, of, draw);
  for (std::size_t v = 0; v < of.size(); ++v) {
    Measurement m;
    m.variant = fmt::format("v{}", v);
    m.status = Status::ok;
    m.plan.model = v == 0 ? streams_model : engines_model;
    m.samples = samples[v];
    comparison.measurements.push_back(std::move(m));
  }
  return comparison;
}

struct Tally {
  std::size_t held = 0, dropped = 0, early = 0;  ///< early: before the first 20 rounds were over
};

std::vector<Tally> tallies(const Noise& noise, std::uint32_t rounds, std::size_t comparisons) {
  Draw draw(rounds);
  std::vector<Tally> all(truths.size());
  for (std::size_t i = 0; i < comparisons; ++i) {
    const Outcome outcome =
        held(Contest(0.01, min_rounds), noisy(noise, rounds, truths, draw), rounds);
    const std::vector<Measurement>& ms = outcome.comparison.measurements;
    for (std::size_t v = 1; v < truths.size(); ++v) {
      const auto ratio = paired_ratio(ms[v].samples, ms[0].samples);
      all[v].held += ratio->low <= truths[v] && truths[v] <= ratio->high;
      all[v].dropped += outcome.dropped_after[v] > 0;
      all[v].early += outcome.dropped_after[v] > 0 && outcome.dropped_after[v] < min_rounds;
    }
  }
  return all;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(contest)

BOOST_AUTO_TEST_CASE(variants_that_have_clearly_lost_are_dropped_after_six_rounds) {
  const Outcome outcome =
      held({made_up("streams", streams_model, 300), made_up("engines", engines_model, 290),
            made_up("threads", threads_model, 600)});
  BOOST_TEST(outcome.dropped_after == (std::vector<std::uint32_t>{0, 0, 6}),
             boost::test_tools::per_element());
  BOOST_TEST(outcome.stopped == "");
}

BOOST_AUTO_TEST_CASE(who_got_turns_again_is_looked_at_after_six_rounds) {
  Comparison comparison = made_up_comparison(
      {made_up("streams", streams_model, 300, 100), made_up("engines", engines_model, 400, 100)});
  Contest contest(1e-9, min_rounds);
  std::vector<bool> dropped(2);
  std::uint32_t again = 0;
  for (comparison.rounds = 1; comparison.rounds <= 60 && again == 0; ++comparison.rounds) {
    if (comparison.rounds == 45) dropped[1] = false;  // the looks are after 42 and 63 rounds
    contest(comparison, dropped);
    if (comparison.rounds >= 45 && dropped[1]) again = comparison.rounds;
  }
  BOOST_TEST(again == 45u + 6);
}

BOOST_AUTO_TEST_CASE(within_five_percent_of_the_best_nothing_is_dropped) {
  const Outcome outcome =
      held({made_up("streams", streams_model, 300), made_up("engines", engines_model, 300 * 1.049),
            made_up("threads", threads_model, 300 * 1.5)});
  BOOST_TEST(outcome.dropped_after == (std::vector<std::uint32_t>{0, 0, 6}),
             boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(the_reference_and_the_headline_variants_stay_however_slow) {
  const Outcome outcome =
      held({made_up("engines", engines_model, 100), made_up("streams", streams_model, 300),
            made_up("graph", {graph, lanes, lane, engines_per_chunk}, 310),
            made_up("pool", {host, lanes, ScratchSource::pool, engines_per_chunk}, 320),
            made_up("pool_trim", {host, lanes, trimmed_pool, engines_per_chunk}, 320),
            made_up("graph_built", {graph, data_edges, lane, engines_per_chunk}, 310),
            made_up("graph_pool", {graph, lanes, graph_nodes, engines_per_chunk}, 310),
            made_up("graph_update", {graph_updated, lanes, lane, engines_per_chunk}, 310)});
  BOOST_TEST(outcome.dropped_after == (std::vector<std::uint32_t>{0, 0, 0, 0, 6, 6, 6, 6}),
             boost::test_tools::per_element());
  Comparison other = made_up_comparison(
      {made_up("engines", engines_model, 100), made_up("threads", threads_model, 300)}, "threads");
  const Outcome by_reference = held(Contest(1e-9, min_rounds), other, 21);
  BOOST_TEST(by_reference.dropped_after == (std::vector<std::uint32_t>{0, 0}),
             boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(each_variant_is_compared_with_the_best_of_its_own_tier) {
  const Outcome outcome =
      held({made_up("streams", streams_model, 300), made_up("engines", engines_model, 290),
            made_up("graph_coalesced", {graph, lanes, pass, engines_per_pass}, 900),
            made_up("fused", {host, one_stream, none, fused_per_pass}, 500),
            made_up("graph_fused", {graph, lanes, none, fused_per_chunk}, 50),
            made_up("streams_kernels", {host, lanes, lane, kernels}, 250)});
  BOOST_TEST(outcome.dropped_after == (std::vector<std::uint32_t>{0, 0, 0, 6, 0, 6}),
             boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(failed_variants_neither_lead_nor_are_dropped) {
  Measurement failed = made_up("engines", engines_model, 10);
  failed.status = Status::failed;
  const Outcome outcome = held(
      {made_up("streams", streams_model, 300), failed, made_up("threads", threads_model, 305)});
  BOOST_TEST(outcome.dropped_after == (std::vector<std::uint32_t>{0, 0, 0}),
             boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(it_ends_when_every_interval_that_counts_is_narrow) {
  const std::vector<Measurement> close{made_up("streams", streams_model, 300, 41),
                                       made_up("engines", engines_model, 303, 41)};
  const Outcome narrow = held(close, 0.01, 41);
  BOOST_TEST(narrow.stopped == "precision");
  BOOST_TEST(narrow.rounds == min_rounds);
  BOOST_TEST(held(close, 1e-5, 41).stopped == "");

  // 20% slower and noisy: not narrow, and too noisy to be dropped, but it does not contend.
  Measurement noisy = made_up("threads", threads_model, 360, 41);
  for (Sample& sample : noisy.samples) sample.wall_us *= 1 + 0.12 * (sample.round % 3 - 1.0);
  std::vector<Measurement> three = close;
  three.push_back(noisy);
  const Outcome without = held(three, 0.01, 41);
  BOOST_TEST(without.dropped_after[2] == 0u);
  BOOST_TEST(without.stopped == "precision");

  three.back() = close.back();
  three.back().variant = "threads";
  for (Sample& sample : three.back().samples) sample.wall_us *= 1 + 0.05 * (sample.round % 3 - 1.0);
  BOOST_TEST(held(three, 0.01, 41).stopped == "");
}

BOOST_AUTO_TEST_CASE(a_ratio_far_from_1_may_have_a_wider_interval) {
  const auto ends = [](double wall_us) {
    std::vector<Measurement> two{made_up("streams", streams_model, 1000, 41),
                                 made_up("graph", graph_model, wall_us, 41)};
    for (Sample& sample : two[1].samples) sample.wall_us *= 1 + 0.03 * (sample.round % 3 - 1.0);
    return held(two, 0.005, 41).stopped == "precision";
  };
  BOOST_TEST(ends(500));
  BOOST_TEST(ends(2000));
  BOOST_TEST(!ends(1400));
  BOOST_TEST(!ends(720));
}

BOOST_AUTO_TEST_CASE(without_times_of_the_reference_no_interval_is_narrow) {
  Comparison comparison = made_up_comparison({made_up("streams", streams_model, 300)});
  comparison.reference = "";
  BOOST_TEST(held(Contest(0.5, min_rounds), comparison, 21).stopped == "");
}

BOOST_AUTO_TEST_CASE(an_interval_that_is_narrow_by_chance_drops_nobody) {
  // Rounds that are slow and fast in turn have a mean that looks surer than rounds like these are.
  Measurement uneven = made_up("engines", engines_model, 345);
  for (Sample& sample : uneven.samples) sample.wall_us *= sample.round % 2 == 0 ? 1.04 : 0.96;
  const Outcome outcome = held({made_up("streams", streams_model, 300), uneven}, 1e-9, 12);
  BOOST_TEST(outcome.dropped_after[1] == 0u);
}

BOOST_AUTO_TEST_CASE(all_looks_together_err_as_rarely_as_stated) {
  // For a variant that is slower by exactly the margin, in the limit of small intervals.
  double sum = 0;
  for (std::uint32_t rounds = fewest_rounds; rounds < 1'000'000; rounds = next_look(rounds)) {
    const double freedom = std::round(std::pow(rounds, 0.37));
    const boost::math::students_t student(freedom);
    const double half = boost::math::quantile(boost::math::complement(student, 0.025));
    BOOST_TEST(has_lost(
        {1.05 + 3.01 * half / 1e3, 1.05 + 2.01 * half / 1e3, 1.05 + 4.01 * half / 1e3}, 0.05));
    BOOST_TEST(!has_lost(
        {1.05 + 2.99 * half / 1e3, 1.05 + 1.99 * half / 1e3, 1.05 + 3.99 * half / 1e3}, 0.05));
    sum += boost::math::cdf(boost::math::complement(student, 3 * half));
  }
  BOOST_TEST(sum < 0.013);
}

BOOST_AUTO_TEST_CASE(who_is_slower_by_exactly_the_margin_is_hardly_ever_dropped) {
  constexpr std::array at_the_margin{1.0, 0.95, 0.95 * (1 + lost_by)};
  constexpr std::size_t comparisons = 1000;
  for (const Noise& noise : families()) {
    Draw draw(3);
    std::size_t dropped = 0;
    for (std::size_t i = 0; i < comparisons; ++i) {
      const Comparison whole = noisy(noise, 42, at_the_margin, draw);
      dropped += held(Contest(1e-9, min_rounds), whole, 42).dropped_after[2] > 0;
    }
    BOOST_TEST_CONTEXT(fmt::format("{}: {} of {} dropped", noise.name, dropped, comparisons)) {
      BOOST_TEST(clopper_pearson(dropped, comparisons).low <= 0.013);
    }
  }
}

BOOST_AUTO_TEST_CASE(intervals_hold_the_truth_whoever_is_dropped_and_whenever) {
  constexpr std::size_t comparisons = 400;
  Tally everybody;
  for (const std::uint32_t rounds : {40u, 80u}) {
    for (const Noise& noise : families()) {
      const std::vector<Tally> all = tallies(noise, rounds, comparisons);
      for (std::size_t v = 1; v < truths.size(); ++v) {
        everybody.dropped += all[v].dropped;
        everybody.early += all[v].early;
        // Intervals from fewer than 20 rounds may hold it more often, see interval.hpp.
        const bool often = 100 * all[v].held >= 95 * comparisons;
        const double p = binomial_test(all[v].held, comparisons, 0.95);
        BOOST_TEST_CONTEXT(fmt::format(
            "{}, up to {} rounds, {} times as long: {} of {} held the "
            "truth, p {:.4f}; {} dropped",
            noise.name, rounds, truths[v], all[v].held, comparisons, p, all[v].dropped)) {
          BOOST_TEST((often || p >= 0.005));
        }
      }
      BOOST_TEST(all.back().dropped == comparisons);  // twice as slow
    }
  }
  // Both kinds took place, dropped early and late.
  BOOST_TEST(everybody.early > 10 * comparisons);
  BOOST_TEST(everybody.dropped - everybody.early > 3 * comparisons);
}

BOOST_AUTO_TEST_SUITE_END()
