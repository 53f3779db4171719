#include "common/measure/sweep/standing.hpp"

#include <algorithm>
#include <vector>

#include "common/explain/statistics/ratio.hpp"
#include "common/explain/statistics/statistics.hpp"
#include "common/measure/sweep/wall_time.hpp"
#include "common/model/results/find.hpp"

namespace trilane {
namespace {

Standing against(const Comparison& comparison, const Measurement& leader) {
  Standing standing{.leader = &leader, .ratios = {}};
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

}  // namespace

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
  double shortest = 0;
  for (const Measurement& m : comparison.measurements) {
    if (!was_timed(m)) continue;
    const double wall_us = pass_us(m.samples);
    if (leader && !(wall_us < shortest)) continue;
    leader = &m;
    shortest = wall_us;
  }
  if (!leader) return {.leader = nullptr, .ratios = {}};
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
