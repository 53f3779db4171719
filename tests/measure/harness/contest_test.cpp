// When a comparison ends, and that its intervals contain the truth as often as claimed, whenever it
// ends.
#include "common/measure/rounds/contest.hpp"

#include <boost/math/distributions/students_t.hpp>

#include "common/explain/statistics/interval.hpp"
#include "tests/explain/statistics/noise.hpp"
#include "tests/model/made_up.hpp"

BOOST_AUTO_TEST_SUITE(contest)

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

/// The outcome of a contest with consecutive rounds.
struct Outcome {
  std::string stopped;
  std::uint32_t rounds = 0;
  Comparison comparison;  ///< the rounds that took place
};

Outcome held(Contest contest, const Comparison& whole, std::uint32_t rounds) {
  const std::size_t variants = whole.measurements.size();
  Outcome outcome{"", 0, whole};
  std::vector<std::size_t> next(variants);
  std::vector<bool> dropped(variants);
  for (Measurement& m : outcome.comparison.measurements) m.samples.clear();
  while (outcome.stopped.empty() && outcome.rounds < rounds) {
    for (std::size_t v = 0; v < variants; ++v) {
      const std::vector<Sample>& all = whole.measurements[v].samples;
      for (; next[v] < all.size() && all[next[v]].round == outcome.rounds; ++next[v]) {
        outcome.comparison.measurements[v].samples.push_back(all[next[v]]);
      }
    }
    outcome.comparison.rounds = ++outcome.rounds;
    outcome.stopped = contest(outcome.comparison, dropped);
  }
  return outcome;
}

Outcome held(std::vector<Measurement> measurements, double precision = 1e-9,
             std::uint32_t rounds = 21) {
  return held(Contest(precision, min_rounds), made_up_comparison(std::move(measurements)), rounds);
}

/// True ratios of equivalent variants: the reference, the best, and others up to twice as slow.
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

/// Returns by variant how many intervals contain the truth in comparisons that end by the rule.
std::vector<std::size_t> times_held(const Noise& noise, std::uint32_t rounds,
                                    std::size_t comparisons) {
  Draw draw(rounds);
  std::vector<std::size_t> all(truths.size());
  for (std::size_t i = 0; i < comparisons; ++i) {
    const Outcome outcome =
        held(Contest(0.01, min_rounds), noisy(noise, rounds, truths, draw), rounds);
    const std::vector<Measurement>& ms = outcome.comparison.measurements;
    for (std::size_t v = 1; v < truths.size(); ++v) {
      const auto ratio = variant_ratio(ms[v].samples, ms[0].samples);
      all[v] += ratio->low <= truths[v] && truths[v] <= ratio->high;
    }
  }
  return all;
}

BOOST_AUTO_TEST_CASE(it_ends_when_every_interval_that_counts_is_narrow) {
  const std::vector<Measurement> close{made_up("streams", streams_model, 300, 41),
                                       made_up("engines", engines_model, 303, 41)};
  const Outcome narrow = held(close, 0.01, 41);
  BOOST_TEST(narrow.stopped == "precision");
  BOOST_TEST(narrow.rounds == min_rounds);
  BOOST_TEST(held(close, 1e-5, 41).stopped == "");

  // 20% slower and noisy: a wide interval, but it is not a contender.
  Measurement noisy = made_up("threads", threads_model, 360, 41);
  for (Sample& sample : noisy.samples) sample.wall_us *= 1 + 0.12 * (sample.round % 3 - 1.0);
  std::vector<Measurement> three = close;
  three.push_back(noisy);
  const Outcome without = held(three, 0.01, 41);
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

BOOST_AUTO_TEST_CASE(the_intervals_of_the_main_questions_count_however_slow) {
  const auto ends = [](const Model& model) {
    std::vector<Measurement> two{made_up("streams", streams_model, 300, 41),
                                 made_up("other", model, 360, 41)};
    for (Sample& sample : two[1].samples) sample.wall_us *= 1 + 0.12 * (sample.round % 3 - 1.0);
    return held(two, 0.01, 41).stopped == "precision";
  };
  BOOST_TEST(ends(engines_model));
  BOOST_TEST(!ends(graph_model));
  BOOST_TEST(!ends({host, lanes, ScratchSource::pool, engines_per_chunk}));
}

BOOST_AUTO_TEST_CASE(an_interval_that_is_narrow_by_chance_is_widened_on_both_sides) {
  // Alternately slow and fast rounds have a mean that looks more certain than rounds like these.
  const std::vector<double> rounds{1.04, 0.96, 1.04, 0.96, 1.04, 0.96, 1.04, 0.96, 1.04, 0.96};
  const Ratio by_chance = ratio_of(rounds), cautious = cautious_ratio(rounds);
  BOOST_TEST(cautious.low < by_chance.low);
  BOOST_TEST(cautious.high > by_chance.high);
}

BOOST_AUTO_TEST_CASE(without_times_of_the_reference_no_interval_is_narrow) {
  Comparison comparison = made_up_comparison({made_up("streams", streams_model, 300)});
  comparison.reference = "";
  BOOST_TEST(held(Contest(0.5, min_rounds), comparison, 21).stopped == "");
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

BOOST_AUTO_TEST_CASE(intervals_hold_the_truth_whenever_a_run_ends) {
  constexpr std::size_t comparisons = 400;
  for (const std::uint32_t rounds : {40u, 80u}) {
    for (const Noise& noise : families()) {
      const std::vector<std::size_t> all = times_held(noise, rounds, comparisons);
      for (std::size_t v = 1; v < truths.size(); ++v) {
        const bool often = 100 * all[v] >= 95 * comparisons;
        const double p = binomial_test(all[v], comparisons, 0.95);
        BOOST_TEST_CONTEXT(
            fmt::format("{}, up to {} rounds, {} times as long: {} of {} held the truth, p {:.4f}",
                        noise.name, rounds, truths[v], all[v], comparisons, p)) {
          BOOST_TEST((often || p >= 0.005));
        }
      }
    }
  }
}

BOOST_AUTO_TEST_SUITE_END()
