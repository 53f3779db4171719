#include "common/sweep/race.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "common/analysis/statistics/paired_ratio.hpp"
#include "common/analysis/statistics/statistics.hpp"
#include "common/analysis/statistics/wall_ratio.hpp"
#include "common/harness/rounds/contest.hpp"
#include "common/results/find.hpp"
#include "common/sweep/tier_parts.hpp"
#include "common/sweep/wall_time.hpp"

namespace trilane {
namespace {

constexpr double hopeless = 1.5;

std::optional<Ratio> ratio_over(const Measurement& m, const Measurement& leader) {
  if (!was_timed(m)) return std::nullopt;
  if (&m == &leader) return Ratio{};
  if (m.prediction && leader.prediction) return wall_ratio(m, leader);
  const std::vector<double> ratios = round_ratios(m.samples, leader.samples);
  if (ratios.empty()) return std::nullopt;
  if (ratios.size() >= fewest_rounds) return ratio_of(ratios);
  const auto [low, high] = std::ranges::minmax(ratios);
  return Ratio{median(ratios), low, high};
}

/// The fastest variant so far, and how the others compare with it.
struct Standing {
  const Measurement* leader = nullptr;       ///< nullptr if no variant has times
  std::vector<std::optional<Ratio>> ratios;  ///< wall time over the leader's; by variant
};

Standing against(const Comparison& comparison, const Measurement& leader) {
  Standing standing{.leader = &leader, .ratios = {}};
  for (const Measurement& m : comparison.measurements) {
    standing.ratios.push_back(ratio_over(m, leader));
  }
  return standing;
}

/// A prediction does not tell the leader from variants inside its error. Of these the reference
/// leads or, without it, the first, because variants are listed from plain to elaborate.
const Measurement& plainest_beside(const Comparison& comparison, const Measurement& leader) {
  const auto as_good = [&](const Measurement& m) {
    const auto ratio = ratio_over(m, leader);
    return ratio && ratio->tie();
  };
  const Measurement* const reference = find_reference(comparison);
  if (reference && as_good(*reference)) return *reference;
  return *std::ranges::find_if(comparison.measurements, as_good);
}

/// With too few rounds for an interval, low and high are the smallest and the largest ratio of a
/// round.
Standing standing_of(const Comparison& comparison) {
  const Measurement* leader = nullptr;
  double shortest = 0;
  for (const Measurement& m : comparison.measurements) {
    if (!was_timed(m)) continue;
    const double wall_us = median(m.samples, &Sample::wall_us);
    if (leader && !(wall_us < shortest)) continue;
    leader = &m;
    shortest = wall_us;
  }
  if (!leader) return {.leader = nullptr, .ratios = {}};
  if (leader->prediction) return against(comparison, plainest_beside(comparison, *leader));
  Standing standing = against(comparison, *leader);
  // If times drift, paired rounds may contradict the medians; the pairs are right.
  const auto faster = std::ranges::find_if(
      standing.ratios, [](const auto& ratio) { return ratio && ratio->high < 1; });
  if (faster == standing.ratios.end()) return standing;
  return against(
      comparison,
      comparison.measurements[static_cast<std::size_t>(faster - standing.ratios.begin())]);
}

bool is_close(const Ratio& ratio) { return ratio.high < 1 + 2 * tie_margin; }

/// Times are rounded to nanoseconds and ratios to millionths, so that a simulated map does not
/// depend on when its cells ran.
double rounded(double value, double step) { return std::round(value / step) * step; }

Ratio rounded(const Ratio& ratio) {
  return {rounded(ratio.estimate, 1e-6), rounded(ratio.low, 1e-6), rounded(ratio.high, 1e-6)};
}

bool ties(const Ratio& ratio) { return !(ratio.low > 1) || ratio.estimate < 1 + tie_margin; }

/// Finds the variants that tie with the winner, and the runner-up.
void rank_others(Cell& cell) {
  cell.tied.clear();
  const CellVariant* next = nullptr;
  for (const CellVariant& entry : cell.variants) {
    if (entry.variant == cell.winner) continue;
    if (ties({entry.over_winner, entry.low, entry.high})) cell.tied.push_back(entry.variant);
    if (!next || entry.over_winner < next->over_winner) next = &entry;
  }
  cell.runner_up = next ? next->variant : "";
}

/// The fastest variant of each tier.
std::vector<Winner> winners_in(const Comparison& comparison) {
  std::vector<Winner> winners;
  const Measurement* const reference = find_reference(comparison);
  for (const auto& [tier, places] : tiers_in(comparison)) {
    const Comparison part = part_of(comparison, places);
    const Standing standing = standing_of(part);
    if (!standing.leader) continue;
    Winner& winner = winners.emplace_back();
    winner.tier = tier;
    winner.variant = standing.leader->variant;
    if (reference && winner.variant != reference->variant && was_timed(*reference)) {
      winner.ratio = ratio_over(*standing.leader, *reference);
      if (winner.ratio) winner.ratio = rounded(*winner.ratio);
    }
    for (std::size_t i = 0; i < part.measurements.size(); ++i) {
      const Measurement& m = part.measurements[i];
      if (&m == standing.leader || !standing.ratios[i] || !ties(rounded(*standing.ratios[i])))
        continue;
      winner.tied.push_back(m.variant);
    }
  }
  return winners;
}

/// How many times as fast as the other the winner is.
std::optional<Ratio> gain_over(const Cell& cell, const std::string& other) {
  const auto found = std::ranges::find(cell.variants, other, &CellVariant::variant);
  if (found == cell.variants.end()) return std::nullopt;
  return Ratio{found->over_winner, found->low, found->high};
}

}  // namespace

/// Drops the variants that have lost to the leader. Whether all others are as fast as it.
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

void conclude(const Comparison& comparison, Cell& cell) {
  cell.rounds = comparison.rounds;
  cell.seconds = comparison.seconds;
  cell.variants.clear();
  cell.left_out.clear();
  const Standing standing = standing_of(comparison);
  for (std::size_t i = 0; i < comparison.measurements.size(); ++i) {
    const Measurement& m = comparison.measurements[i];
    if (!standing.leader || !standing.ratios[i]) {
      cell.left_out.emplace_back(m.variant, fmt::format("{}: {}", name_of(m.status), m.message));
    } else {
      const Ratio ratio = rounded(*standing.ratios[i]);
      const WallTime wall = wall_time_of(m);
      cell.variants.push_back({.variant = m.variant,
                               .wall_us = rounded(wall.median, 1e-3),
                               .submit_us = rounded(median(m.samples, &Sample::submit_us), 1e-3),
                               .wall_low_us = rounded(wall.low, 1e-3),
                               .wall_high_us = rounded(wall.high, 1e-3),
                               .over_winner = ratio.estimate,
                               .low = ratio.low,
                               .high = ratio.high,
                               .rounds = rounds_of(m)});
    }
  }
  cell.status = standing.leader ? Status::ok : Status::failed;
  cell.stopped = standing.leader ? comparison.stopped : "";
  cell.winner = standing.leader ? standing.leader->variant : "";
  cell.winners = winners_in(comparison);
  cell.reason = standing.leader || cell.left_out.empty()
                    ? ""
                    : cell.left_out.front().first + " " + cell.left_out.front().second;
  rank_others(cell);
  cell.over_runner_up = gain_over(cell, cell.runner_up);
  cell.over_reference = gain_over(cell, comparison.reference);
}

}  // namespace trilane
