// Synthetic wall times of variants with realistic disturbances and known true ratios.
#pragma once

#include <numbers>

#include "common/model/results/results.hpp"
#include "tests/framework.hpp"

namespace trilane {

/// Sizes are shares of the wall time. `own` disturbs each variant by itself, `shared` both alike.
/// Unless stated otherwise, a value is drawn once per round and variant.
struct Disturbance {
  double drift = 0;           ///< a trend over the run of up to this in either direction, and as
                              ///< random walk
  double wander = 0;          ///< spread of an autoregression
  double correlation = 0;     ///< of wander, from round to round
  double second_mode = 0;     ///< its slow-down
  double outlier_chance = 0;  ///< own: for a pass; shared: for a round
  double outlier = 0;         ///< mean of an exponential distribution
};

struct Noise {
  const char* name;
  Disturbance shared, own;
  double pass = 0.01;  ///< spread of passes
};

/// Random numbers that are the same with every standard library.
class Draw {
 public:
  explicit Draw(std::uint64_t seed) : engine_(seed) {}
  double uniform() { return (static_cast<double>(engine_() >> 11) + 0.5) * 0x1p-53; }
  bool chance(double probability) { return uniform() < probability; }
  double exponential(double mean) { return -mean * std::log(uniform()); }
  double normal() {
    const double angle = 2 * std::numbers::pi * uniform();
    return std::sqrt(-2 * std::log(uniform())) * std::cos(angle);
  }

 private:
  std::mt19937_64 engine_;
};

/// The state of a disturbance from round to round.
class Disturbed {
 public:
  Disturbed(const Disturbance& by, Draw& draw)
      : by_(by), draw_(draw), slope_(by.drift * (2 * draw.uniform() - 1)), wander_(draw.normal()) {}

  /// Returns the logarithm of the factor for the next of `rounds` rounds.
  double next(std::uint32_t rounds) {
    walk_ += by_.drift * draw_.normal() / std::sqrt(rounds);
    trend_ += slope_ / rounds;
    wander_ = by_.correlation * wander_ +
              std::sqrt(1 - by_.correlation * by_.correlation) * draw_.normal();
    if (!draw_.chance(mode_stays)) slow_ = draw_.chance(slow_share);
    return walk_ + trend_ + by_.wander * wander_ + (slow_ ? by_.second_mode : 0);
  }

  double outlier() { return draw_.chance(by_.outlier_chance) ? draw_.exponential(by_.outlier) : 0; }

 private:
  static constexpr double mode_stays = 0.2, slow_share = 0.3;
  const Disturbance& by_;
  Draw& draw_;
  double slope_, wander_, walk_ = 0, trend_ = 0;
  bool slow_ = draw_.chance(slow_share);
};

/// Returns samples of several variants, `passes` a round; the times of each are multiplied by its
/// entry of `truths`.
inline std::vector<std::vector<Sample>> noisy_world(const Noise& noise, std::uint32_t rounds,
                                                    std::span<const double> truths, Draw& draw,
                                                    std::uint32_t passes = 2) {
  Disturbed shared(noise.shared, draw);
  std::vector<Disturbed> own;
  for (std::size_t v = 0; v < truths.size(); ++v) own.emplace_back(noise.own, draw);
  std::vector<std::vector<Sample>> samples(truths.size());
  for (std::uint32_t round = 0; round < rounds; ++round) {
    const double all = shared.next(rounds) + shared.outlier();
    for (std::size_t v = 0; v < truths.size(); ++v) {
      const double turn = all + own[v].next(rounds) + std::log(truths[v]);
      for (std::uint32_t pass = 0; pass < passes; ++pass) {
        const double us = 1000 * std::exp(turn + noise.pass * draw.normal() + own[v].outlier());
        samples[v].push_back({us, us, us, round, 0});
      }
    }
  }
  return samples;
}

/// Returns samples of two variants; the second one's times are multiplied by `truth`.
inline std::array<std::vector<Sample>, 2> noisy_pair(const Noise& noise, std::uint32_t rounds,
                                                     double truth, Draw& draw,
                                                     std::uint32_t passes = 2) {
  auto samples = noisy_world(noise, rounds, std::array{1.0, truth}, draw, passes);
  return {std::move(samples[0]), std::move(samples[1])};
}

/// How often intervals held the true ratio, and how often they found a slow-down.
struct Rates {
  std::size_t held = 0, found = 0;
};

/// Returns the rates of as many ratios from `compare`.
template <typename Compare>
Rates rates_of(std::size_t comparisons, double truth, Compare compare) {
  Rates rates;
  for (std::size_t i = 0; i < comparisons; ++i) {
    const Ratio ratio = compare();
    rates.held += ratio.low <= truth && truth <= ratio.high;
    rates.found += ratio.low > 1;
  }
  return rates;
}

/// Returns the noise of comparisons on an H200. Passes spread by 0.1 to 5%; 1 or 2% of them are
/// outliers, 10 times as far off. Ratios of neighbouring rounds correlate by up to 0.5 (launch with
/// six variants; by about 0.1 on the other presets).
inline const std::vector<Noise>& families() {
  static const std::vector<Noise> all{
      {"plain", {}, {}},
      {"shared drift", {.drift = 0.2}, {}},
      {"own drift", {}, {.wander = 0.0024, .correlation = 0.6}},
      {"shared outliers", {.outlier_chance = 0.05, .outlier = 0.5}, {}},
      {"own outliers", {}, {.outlier_chance = 0.02, .outlier = 0.1}},
      {"shared modes", {.second_mode = 0.08}, {}},
      {"own modes", {}, {.second_mode = 0.05}},
      {"shared autocorrelation", {.wander = 0.04, .correlation = 0.8}, {}},
      {"own autocorrelation", {}, {.wander = 0.02, .correlation = 0.45}},
      {"drift and outliers",
       {.drift = 0.2, .outlier_chance = 0.05, .outlier = 0.5},
       {.wander = 0.0024, .correlation = 0.6, .outlier_chance = 0.02, .outlier = 0.1}},
      {"modes and autocorrelation",
       {.wander = 0.04, .correlation = 0.8, .second_mode = 0.08},
       {.wander = 0.02, .correlation = 0.45, .second_mode = 0.05}},
      {"everything",
       {.drift = 0.2,
        .wander = 0.04,
        .correlation = 0.8,
        .second_mode = 0.08,
        .outlier_chance = 0.05,
        .outlier = 0.5},
       {.wander = 0.02,
        .correlation = 0.45,
        .second_mode = 0.05,
        .outlier_chance = 0.02,
        .outlier = 0.1}}};
  return all;
}

}  // namespace trilane
