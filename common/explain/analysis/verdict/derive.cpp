#include "common/explain/analysis/verdict/derive.hpp"

#include "common/base/text/size.hpp"
#include "common/explain/analysis/verdict/break_even.hpp"
#include "common/explain/analysis/verdict/loads.hpp"
#include "common/explain/analysis/verdict/verdict.hpp"
#include "common/explain/statistics/statistics.hpp"

namespace trilane {
namespace {

struct Measured {
  double value;  ///< must be in the promised range
  std::string figures;
};

std::optional<Measured> submission_share(const Comparison& comparison) {
  const Measurement* reference = find_reference(comparison);
  if (!reference || !reference->submit || !reference->wall) return std::nullopt;
  const double share = reference->submit->mean / reference->wall->mean;
  return Measured{share, fmt::format("{} spends {:.0f}% of its wall time submitting",
                                     comparison.reference, 100 * share)};
}

Measured copies_over_work(const Limit& limit) {
  const double copies = std::min(limit.steady_in_us, limit.steady_out_us);
  return {copies / limit.steady_work_us,
          fmt::format("a chunk's copies take {} us each way, its kernels {} us", format_us(copies),
                      format_us(limit.steady_work_us))};
}

Measured copy_in_over_others(const Limit& limit) {
  const double others = std::max(limit.steady_work_us, limit.steady_out_us);
  return {limit.steady_in_us / others,
          fmt::format("a chunk's copy in takes {} us, everything else at most {} us",
                      format_us(limit.steady_in_us), format_us(others))};
}

Measured kernels_over_copy_in(const Limit& limit) {
  const double share = limit.kernels_us / limit.copy_in_us;
  return {share,
          fmt::format("a chunk's kernels take {:.2f} times as long as its copy in ({} and {} us)",
                      share, format_us(limit.kernels_us), format_us(limit.copy_in_us))};
}

Measured kernel_time(const Limit& limit) {
  const double others = limit.copy_in_us + limit.clear_us + limit.copy_out_us;
  return {limit.kernels_us, fmt::format("a chunk's kernel takes {} us, its copies and memset {} us",
                                        format_us(limit.kernels_us), format_us(others))};
}

std::optional<Measured> measured(Promised what, const Comparison& comparison) {
  const Limit& limit = *comparison.limit;
  switch (what) {
    case Promised::submission: return submission_share(comparison);
    case Promised::copies_both_ways: return copies_over_work(limit);
    case Promised::copies_in: return copy_in_over_others(limit);
    case Promised::kernels: return kernels_over_copy_in(limit);
    case Promised::kernel_time: return kernel_time(limit);
  }
  return std::nullopt;
}

using Measurements = std::vector<const Measurement*>;

bool ties(const Measurement& m, const Measurement& base) {
  const std::optional<Ratio> ratio = wall_ratio(m, base);
  return ratio && decides(*ratio) && ratio->tie();
}

bool worth_a_change(const Measurement& m) { return m.ratio && is_gain(*m.ratio); }

/// Returns the best; `tier` has at least one variant, the fastest first. Of those that were
/// measured to tie with it, the first one that was named; a tie within the model's error says too
/// little.
const Measurement& best_of(const Measurements& tier, const Comparison& comparison) {
  const Measurement& fastest = *tier.front();
  const auto reference = std::ranges::find(tier, comparison.reference, &Measurement::variant);
  if (reference != tier.end() && !worth_a_change(fastest)) return **reference;
  const bool predicted = fastest.ratio && fastest.ratio->covers == Covers::model_error;
  for (const Measurement& m : comparison.measurements) {
    if (&m == &fastest) break;
    const bool candidate = includes(tier, &m) && (reference == tier.end() || worth_a_change(m));
    if (candidate && !predicted && ties(m, fastest)) return m;
  }
  return fastest;
}

}  // namespace

void judge_regime(Comparison& comparison) {
  if (comparison.workload.pipeline) return;
  const std::optional<Promise> promise = promise_of(comparison.workload.name);
  if (!promise || comparison.workload.modified || !comparison.limit) return;
  const std::optional<Measured> found = measured(promise->what, comparison);
  if (!found) {
    comparison.regime_held.reset();
    comparison.regime = "not judged: the reference has no times";
    return;
  }
  const bool held = found->value >= promise->least && found->value <= promise->most;
  comparison.regime_held = held;
  comparison.regime =
      fmt::format("{}: {}, {}", promise->words, held ? "holds" : "does not hold", found->figures);
}

void derive(Comparison& comparison, const std::string& simulated) {
  summarise(comparison);
  find_break_even(comparison);
  judge_regime(comparison);
  find_bounds(comparison);
  comparison.winners = winners_of(comparison);
  comparison.verdict = verdict(comparison, simulated);
  comparison.advice = advice(comparison);
}

void derive_answers(Results& results) {
  compare_with_processes(results.comparisons);
  derive_splits(results.comparisons);
  results.answers = answers_to(results.comparisons);
  results.doubts = doubts_about(results);
}

void derive(Results& results) {
  for (Comparison& comparison : results.comparisons) {
    derive(comparison, results.context.simulated);
  }
  derive_answers(results);
}

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
  for (const Tier tier : enumerators<Tier>) {
    Measurements members;
    std::ranges::copy_if(all, std::back_inserter(members), [&](const Measurement* m) {
      return tier_of(m->plan.model) == tier && !is_bound(m->plan.model);
    });
    if (members.empty()) continue;
    const Measurement& best = best_of(members, comparison);
    Winner winner{.tier = tier, .variant = best.variant, .ratio = best.ratio};
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
