#include "common/measure/rounds/contest.hpp"

#include "common/device/flavour/flavour.hpp"
#include "common/explain/statistics/statistics.hpp"
#include "common/measure/rounds/bench.hpp"
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
  for (const Measurement& m : comparison.measurements) {
    if (!was_timed(m)) continue;
    const Measurement*& leader = leaders[tier_of(m.plan.model)];
    if (!leader || pass_us(m.samples) < pass_us(leader->samples)) leader = &m;
  }
  return leaders;
}

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

void RoundSettings::share(std::uint32_t processes, std::uint32_t least) {
  fewest = std::max(fewest / processes, least);
  most = std::max(most / processes, fewest);
}

void in_rounds(std::size_t count, const RoundSettings& settings,
               const std::function<void(std::size_t, bool counts)>& take,
               const std::function<bool()>& ended) {
  Random random(settings.seed);
  for (const std::size_t i : shuffled(count, random)) take(i, false);
  timed_rounds(
      count, settings, random, now_us, [&](std::size_t i) { take(i, true); }, ended);
}

std::uint32_t timed_rounds(std::size_t count, const RoundSettings& settings, Random& random,
                           const std::function<double()>& now,
                           const std::function<void(std::size_t)>& take,
                           const std::function<bool()>& ended) {
  const double start = now(), most_us = settings.seconds * us_per_second;
  std::uint32_t done = 0;
  for (; done < settings.most && !ended(); ++done) {
    if (done >= settings.fewest && !(now() - start < most_us)) break;
    for (const std::size_t i : shuffled(count, random)) {
      if (!ended()) take(i);
    }
  }
  return done;
}

}  // namespace trilane
