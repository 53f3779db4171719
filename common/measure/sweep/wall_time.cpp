#include "common/measure/sweep/wall_time.hpp"

#include <algorithm>

#include "common/explain/statistics/interval.hpp"
#include "common/explain/statistics/ratio.hpp"
#include "common/explain/statistics/statistics.hpp"
#include "common/measure/rounds/contest.hpp"

namespace trilane {
namespace {

std::vector<double> rounds_in(const Measurement& m) {
  std::vector<double> times;
  for (const TurnValue& turn : turn_means(m.samples)) times.push_back(turn.value);
  return times;
}

WallTime over_processes(double wall_us, const std::vector<std::vector<double>>& processes) {
  std::vector<double> residuals;
  for (const std::vector<double>& rounds : processes)
    residuals.push_back(mean(rounds) / wall_us - 1);
  const Ratio ratio = interval_of(as_of_another_run(middle_mean_of_draws(residuals)));
  return {wall_us, wall_us * ratio.low, wall_us * ratio.high};
}

}  // namespace

std::pair<double, double> wall_range(const Measurement& m) {
  const auto [low, high] = std::ranges::minmax_element(m.samples, {}, &Sample::wall_us);
  return {low->wall_us, high->wall_us};
}

WallTime wall_time_of(const Measurement& m) {
  const double wall_us = pass_us(m.samples);
  const auto processes = by_process(turn_means(m.samples));
  if (processes.size() > 1) return over_processes(wall_us, processes);
  const std::vector<double> rounds = rounds_in(m);
  if (rounds.size() == 1) {
    const auto [low, high] = wall_range(m);
    return {wall_us, low, high};
  }
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
