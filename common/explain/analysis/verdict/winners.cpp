#include "common/explain/analysis/verdict/winners.hpp"

#include <algorithm>

#include "common/explain/statistics/statistics.hpp"
#include "common/model/results/find.hpp"

namespace trilane {
namespace {

using Measurements = std::vector<const Measurement*>;

bool ties(const Measurement& m, const Measurement& base) {
  const std::optional<Ratio> ratio = wall_ratio(m, base);
  return ratio && decides(*ratio) && ratio->tie();
}

bool worth_a_change(const Measurement& m) { return m.ratio && is_gain(*m.ratio); }

/// Returns the best; `tier` has at least one variant, the fastest first.
const Measurement& best_of(const Measurements& tier, const Comparison& comparison) {
  const Measurement& fastest = *tier.front();
  const auto reference = std::ranges::find(tier, comparison.reference, &Measurement::variant);
  if (reference != tier.end() && !worth_a_change(fastest)) return **reference;
  for (const Measurement& m : comparison.measurements) {
    if (&m == &fastest) break;
    const bool candidate =
        std::ranges::find(tier, &m) != tier.end() && (reference == tier.end() || worth_a_change(m));
    if (candidate && ties(m, fastest)) return m;
  }
  return fastest;
}

}  // namespace

std::vector<const Measurement*> timed_variants(const Comparison& comparison) {
  Measurements found;
  for (const Measurement& m : comparison.measurements) {
    if (m.status == Status::ok && m.wall && m.submit) found.push_back(&m);
  }
  std::ranges::stable_sort(found, {}, [](const Measurement* m) { return m->wall->mean; });
  return found;
}

bool clearly_faster(const Measurement& m, const Measurement& base) {
  const std::optional<Ratio> ratio = wall_ratio(m, base);
  return ratio && is_gain(*ratio);
}

std::vector<Winner> winners_of(const Comparison& comparison) {
  const Measurements all = timed_variants(comparison);
  std::vector<Winner> winners;
  for (const Tier tier : all_tiers) {
    Measurements members;
    std::ranges::copy_if(all, std::back_inserter(members), [&](const Measurement* m) {
      return tier_of(m->plan.model) == tier && !is_bound(m->plan.model);
    });
    if (members.empty()) continue;
    const Measurement& best = best_of(members, comparison);
    Winner winner{.tier = tier, .variant = best.variant, .ratio = best.ratio, .tied = {}};
    for (const Measurement* m : members) {
      if (m != &best && ties(*m, best)) winner.tied.push_back(m->variant);
    }
    winners.push_back(std::move(winner));
  }
  return winners;
}

const Winner* winner_of(const Comparison& comparison, Tier tier) {
  const auto found = std::ranges::find(comparison.winners, tier, &Winner::tier);
  return found == comparison.winners.end() ? nullptr : &*found;
}

const Winner* best_kept(const Comparison& comparison) {
  const Winner* same = winner_of(comparison, Tier::same_operations);
  const Winner* moved = winner_of(comparison, Tier::moved_together);
  if (!same || !moved) return same ? same : moved;
  const Measurement* one = find_variant(comparison, moved->variant);
  const Measurement* other = find_variant(comparison, same->variant);
  return one && other && clearly_faster(*one, *other) ? moved : same;
}

}  // namespace trilane
