#include "common/measure/sweep/race.hpp"

#include "common/explain/statistics/ratio.hpp"
#include "common/measure/rounds/contest.hpp"
#include "common/measure/sweep/standing.hpp"
#include "common/measure/sweep/tier_parts.hpp"
#include "common/measure/sweep/wall_time.hpp"

namespace trilane {
namespace {

constexpr double hopeless = 1.5;

bool is_close(const Ratio& ratio) { return ratio.high < 1 + 2 * tie_margin; }

}  // namespace

/// Drops the variants that have lost to the leader. Returns true if every other variant ties with
/// it.
bool Race::settle(const Comparison& tier, std::vector<bool>& dropped) const {
  const Standing standing = standing_of(tier);
  bool all_clear = true;
  for (std::size_t i = 0; i < standing.ratios.size(); ++i) {
    const Measurement& m = tier.measurements[i];
    if (!standing.ratios[i] || dropped[i]) continue;
    const bool known = aim_ != Aim::curve || is_known_to(tie_margin, m);
    if (!known) all_clear = false;
    if (&m == standing.leader) continue;
    const std::vector<double> ratios = round_ratios(m.samples, standing.leader->samples);
    const bool enough = ratios.size() >= fewest_rounds;
    const Ratio ratio = enough ? cautious_ratio(ratios) : *standing.ratios[i];
    if (enough ? has_lost(ratio, tie_margin)
               : ratio.low > hopeless && m.variant != tier.reference) {
      dropped[i] = known;
    } else if (!is_close(ratio)) {
      all_clear = false;
    }
  }
  return all_clear;
}

std::string Race::operator()(const Comparison& comparison, std::vector<bool>& dropped) {
  if (comparison.rounds < next_look_) return "";
  next_look_ = next_look(comparison.rounds);
  bool all_clear = comparison.rounds >= fewest_rounds;
  Comparison leaders = part_of(comparison, {});
  for (const auto& [tier, places] : tiers_in(comparison)) {
    const Comparison part = part_of(comparison, places);
    std::vector<bool> lost;
    for (const std::size_t place : places) lost.push_back(dropped[place]);
    all_clear &= settle(part, lost);
    for (std::size_t i = 0; i < places.size(); ++i) dropped[places[i]] = lost[i];
    if (const Measurement* leader = standing_of(part).leader)
      leaders.measurements.push_back(*leader);
  }
  std::vector<bool> stay(leaders.measurements.size());
  all_clear &=
      settle(leaders, stay);  // a variant that lost to another tier still races within its own
  return all_clear ? "decided" : "";
}

}  // namespace trilane
