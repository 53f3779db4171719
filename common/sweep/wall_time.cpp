#include "common/sweep/wall_time.hpp"

#include <algorithm>

#include "common/analysis/statistics/paired_ratio.hpp"
#include "common/analysis/statistics/turns.hpp"
#include "common/harness/rounds/contest.hpp"

namespace trilane {
namespace {

std::vector<double> rounds_in(const Measurement& m) {
  std::vector<double> times;
  for (const TurnValue& turn : turn_means(m.samples)) times.push_back(turn.value);
  return times;
}

}  // namespace

WallTime wall_time_of(const Measurement& m) {
  const double wall_us = pass_us(m.samples);
  const std::vector<double> rounds = rounds_in(m);
  if (rounds.size() < fewest_rounds) {
    const auto [low, high] = std::ranges::minmax(rounds);
    return {wall_us, std::min(low, wall_us), std::max(high, wall_us)};
  }
  const Ratio mean = ratio_of(rounds);
  return {wall_us, wall_us * mean.low / mean.estimate, wall_us * mean.high / mean.estimate};
}

bool is_known_to(double precision, const Measurement& m) {
  const std::vector<double> rounds = rounds_in(m);
  return rounds.size() >= fewest_rounds && half_width(cautious_ratio(rounds)) <= precision;
}

}  // namespace trilane
