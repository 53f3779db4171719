#include "common/measure/rounds/contest.hpp"

#include "common/explain/statistics/statistics.hpp"
#include "common/model/results/find.hpp"

namespace trilane {
namespace {

/// Returns true for the variants of the main questions: streams, its captured graph, and its pools.
bool is_headline(const Model& model) {
  return model == multi_stream || is(Change::graph, model) || is(Change::pool, model);
}

using Leaders = std::map<Tier, const Measurement*>;

Leaders leaders_of(const Comparison& comparison) {
  Leaders leaders;
  std::map<Tier, double> shortest;
  for (const Measurement& m : comparison.measurements) {
    if (!was_timed(m)) continue;
    const Tier tier = tier_of(m.plan.model);
    const double wall_us = pass_us(m.samples);
    if (leaders.contains(tier) && wall_us >= shortest[tier]) continue;
    leaders[tier] = &m;
    shortest[tier] = wall_us;
  }
  return leaders;
}

/// Returns the ratio over the leader of the variant's tier, 1 for the leader itself.
Ratio over_leader(const Measurement& m, const Leaders& leaders) {
  const Measurement& leader = *leaders.at(tier_of(m.plan.model));
  if (&m == &leader) return {};
  const std::vector<double> ratios = round_ratios(m.samples, leader.samples);
  if (ratios.size() < fewest_rounds) return undecided(1);
  return cautious_ratio(ratios);
}

bool is_narrow(const Ratio& ratio, double precision) {
  const bool is_far = ratio.low > far || ratio.high < 1 / far;
  return half_width(ratio) <= (is_far ? far_precision : 1) * precision;
}

}  // namespace

Ratio cautious_ratio(std::span<const double> round_ratios) {
  const Ratio ratio = ratio_of(round_ratios);
  const double reach = ratio.estimate * expected_half_width(round_ratios);
  return {ratio.estimate, std::min(ratio.low, ratio.estimate - reach),
          std::max(ratio.high, ratio.estimate + reach)};
}

bool has_lost(const Ratio& ratio, double margin) {
  return ratio.low - (1 + margin) > ratio.high - ratio.low;
}

std::uint32_t next_look(std::uint32_t rounds) { return rounds + std::max(3u, rounds / 2); }

std::string Contest::operator()(const Comparison& comparison, std::vector<bool>&) {
  const std::uint32_t rounds = comparison.rounds;
  if (rounds < std::max(min_rounds_, next_end_)) return "";
  next_end_ = rounds + std::max(5u, rounds / 10);
  return narrow_enough(comparison) ? "precision" : "";
}

bool Contest::narrow_enough(const Comparison& comparison) const {
  const Measurement* const reference = find_reference(comparison);
  if (reference == nullptr || !was_timed(*reference)) return false;
  const Leaders leaders = leaders_of(comparison);
  for (const Measurement& m : comparison.measurements) {
    if (!was_timed(m) || &m == reference) continue;
    const std::vector<double> ratios = round_ratios(m.samples, reference->samples);
    if (ratios.size() < fewest_rounds) return false;
    if (is_narrow(cautious_ratio(ratios), precision_)) continue;
    if (is_headline(m.plan.model) || !(over_leader(m, leaders).estimate > 1 + lost_by))
      return false;
  }
  return true;
}

}  // namespace trilane
