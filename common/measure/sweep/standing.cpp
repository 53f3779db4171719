#include "common/measure/sweep/standing.hpp"

#include "common/explain/statistics/interval.hpp"
#include "common/measure/rounds/contest.hpp"
#include "common/model/results/find.hpp"

namespace trilane {
namespace {

std::vector<double> rounds_in(const Measurement& m) {
  return transformed(turn_means(m.samples), &TurnValue::value);
}

WallTime over_processes(double wall_us, const ByProcess& processes) {
  std::vector<double> residuals = means_of(processes);
  for (double& residual : residuals) residual = residual / wall_us - 1;
  const Ratio ratio = interval_of(as_of_another_run(middle_mean_of_draws(residuals)));
  return {wall_us, wall_us * ratio.low, wall_us * ratio.high};
}

Standing against(const Comparison& comparison, const Measurement& leader) {
  Standing standing{.leader = &leader};
  for (const Measurement& m : comparison.measurements) {
    standing.ratios.push_back(ratio_over_leader(m, leader));
  }
  return standing;
}

const Measurement& plainest_beside(const Comparison& comparison, const Measurement& leader) {
  const auto as_good = [&](const Measurement& m) {
    const auto ratio = ratio_over_leader(m, leader);
    return ratio && ratio->tie();
  };
  const Measurement* const reference = find_reference(comparison);
  if (reference && as_good(*reference)) return *reference;
  return *std::ranges::find_if(comparison.measurements, as_good);
}

/// Returns the shortest and the longest wall time of at least one sample in microseconds.
std::pair<double, double> wall_range(const Measurement& m) {
  const auto [low, high] = std::ranges::minmax_element(m.samples, {}, &Sample::wall_us);
  return {low->wall_us, high->wall_us};
}

}  // namespace

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

std::map<Tier, std::vector<std::size_t>> tiers_in(const Comparison& comparison) {
  std::map<Tier, std::vector<std::size_t>> places;
  for (std::size_t i = 0; i < comparison.measurements.size(); ++i) {
    places[tier_of(comparison.measurements[i].plan.model)].push_back(i);
  }
  return places;
}

Comparison part_of(const Comparison& comparison, const std::vector<std::size_t>& places) {
  Comparison part;
  part.reference = comparison.reference;
  part.rounds = comparison.rounds;
  for (const std::size_t place : places) {
    part.measurements.push_back(comparison.measurements[place]);
  }
  return part;
}

std::optional<Ratio> ratio_over_leader(const Measurement& m, const Measurement& leader) {
  if (!was_timed(m)) return std::nullopt;
  if (&m == &leader) return Ratio{};
  if (m.prediction && leader.prediction) return wall_ratio(m, leader);
  const std::optional<Ratio> ratio = variant_ratio(m.samples, leader.samples);
  if (!ratio || decides(*ratio)) return ratio;
  const std::vector<double> ratios = round_ratios(m.samples, leader.samples);
  if (ratios.size() == 1) {  // the range of any two samples
    const auto [shortest, longest] = wall_range(m);
    const auto [least, most] = wall_range(leader);
    return Ratio{ratio->estimate, shortest / most, longest / least};
  }
  const auto [low, high] = std::ranges::minmax(ratios);
  return Ratio{ratio->estimate, std::min(low, ratio->estimate), std::max(high, ratio->estimate)};
}

Standing standing_of(const Comparison& comparison) {
  const Measurement* leader = nullptr;
  for (const Measurement& m : comparison.measurements) {
    if (!was_timed(m)) continue;
    if (!leader || pass_us(m.samples) < pass_us(leader->samples)) leader = &m;
  }
  if (!leader) return {.leader = nullptr};
  if (leader->prediction) return against(comparison, plainest_beside(comparison, *leader));
  Standing standing = against(comparison, *leader);
  // A dropped variant has fewer rounds, and times drift, so the ratio uses only common rounds.
  const auto faster = std::ranges::find_if(
      standing.ratios, [](const auto& ratio) { return ratio && ratio->high < 1; });
  if (faster == standing.ratios.end()) return standing;
  return against(
      comparison,
      comparison.measurements[static_cast<std::size_t>(faster - standing.ratios.begin())]);
}

}  // namespace trilane
