#include "common/analysis/verdict/verdict.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "common/analysis/statistics/paired_ratio.hpp"
#include "common/analysis/verdict/winners.hpp"
#include "common/results/find.hpp"
#include "common/text/size.hpp"
#include "common/text/words.hpp"

namespace trilane {
namespace {

using Measurements = std::vector<const Measurement*>;

/// "2.90", "1.002": near 1 with more digits.
std::string times(double ratio) {
  return fmt::format("{:.{}f}", ratio, ratio < 1.1 ? 3 : ratio < 10 ? 2 : ratio < 100 ? 1 : 0);
}

std::string faster(const Ratio& ratio, const std::string& than) {
  return fmt::format("{} times as fast as {} (95% interval {} to {})", times(1 / ratio.estimate),
                     than, times(1 / ratio.high), times(1 / ratio.low));
}

/// The `candidates` that tie with `base`, as a clause; empty if there are none.
std::string ties(const Measurements& candidates, const Measurement& base,
                 const std::string& base_name) {
  std::vector<std::string> names;
  for (const Measurement* m : candidates) {
    if (m == &base) continue;
    const auto ratio = ratio_over(*m, base);
    if (ratio && decides(*ratio) && ratio->tie()) names.push_back(m->variant);
  }
  if (names.empty()) return "";
  return fmt::format("; {} {} with {}", listed(names), names.size() == 1 ? "ties" : "tie",
                     base_name);
}

/// How host submission changes, if neither variant blocks and the change is at least 10%.
std::string submission(const Measurement& from, const Measurement& to) {
  if (from.plan.blocks || to.plan.blocks) return "";
  const double before = from.submit->median, after = to.submit->median;
  const bool drops = after < 0.9 * before;
  const bool rises = after > 1.1 * before;
  if (!drops && !rises) return "";
  return fmt::format("; host submission {} from {} to {} us", drops ? "drops" : "rises",
                     format_us(before), format_us(after));
}

bool truly_faster(const Measurement* m) { return m->ratio && m->ratio->high < 1; }

/// The winner of `tier` that the comparison's order prefers, or nullptr.
const Measurement* winner_of(const Comparison& comparison, Tier tier) {
  for (const Winner& winner : winners_of(comparison)) {
    if (winner.tier == tier) return find_variant(comparison, winner.variant);
  }
  return nullptr;
}

/// Whether `m` is faster than `base` by more than a tie and by at least 1%.
bool clearly_faster(const Measurement& m, const Measurement& base) {
  const std::optional<Ratio> ratio = ratio_over(m, base);
  return ratio && ratio->high < 1 && ratio->estimate <= 1 / 1.01;
}

/// The faster winner of the two tiers that keep the stages; there is at least one.
const Measurement& best_kept(const Comparison& comparison) {
  const Measurement* same = winner_of(comparison, Tier::same_operations);
  const Measurement* moved = winner_of(comparison, Tier::moved_together);
  if (!same || !moved) return same ? *same : *moved;
  return clearly_faster(*moved, *same) ? *moved : *same;
}

/// What the other tiers offer: the same operations, if the winner moves them together, and the best
/// rewrite, if it is faster. A clause each.
std::string other_tiers(const Comparison& comparison, const Measurement& winner,
                        const Measurement* reference) {
  std::string text;
  const auto add = [&](const char* how, const Measurement& m, const Measurement& base) {
    if (const auto ratio = ratio_over(m, base)) {
      text += fmt::format("; {}, {} is {}", how, m.variant, faster(*ratio, base.variant));
    }
  };
  const Measurement* same = winner_of(comparison, Tier::same_operations);
  if (same && same != &winner && same != reference && reference && clearly_faster(*same, *reference))
    add("with the same operations", *same, *reference);
  const Measurement* rewritten = winner_of(comparison, Tier::rewritten);
  if (rewritten && rewritten != &winner && clearly_faster(*rewritten, winner))
    add("rewritten", *rewritten, reference ? *reference : winner);
  return text;
}

/// With a reference, which stays the advice unless another variant is worth a change.
Choice against_reference(const Comparison& comparison, const Measurements& all,
                         const Measurement& reference, const char* measured) {
  const Measurement& winner = best_kept(comparison);
  const std::string others = other_tiers(comparison, winner, &reference);
  if (&winner == &reference) {
    return {.use = &reference,
            .said = fmt::format("use {}: nothing {} {}is {}faster{}{}", reference.variant, measured,
                                others.empty() ? "" : "with the same stages ",
                                std::ranges::any_of(all, truly_faster) ? "even 1% " : "",
                                ties(all, reference, "it"), others)};
  }
  return {&winner, &reference, winner.ratio,
          fmt::format("use {}: {}{}{}{}{}", winner.variant, faster(*winner.ratio, reference.variant),
                      submission(reference, winner), ties(all, winner, "it"),
                      ties(all, reference, reference.variant), others)};
}

/// Without a reference: the shortest median, compared with the next that does not tie with it.
Choice among_themselves(const Comparison& comparison, const Measurements& all) {
  const Measurement& winner = *all.front();
  Choice choice{.use = &winner, .said = "use " + winner.variant};
  for (const Measurement* m : all) {
    const auto ratio = ratio_over(winner, *m);
    if (m == &winner || !ratio || !(ratio->high < 1)) continue;
    choice.over = m;
    choice.ratio = ratio;
    choice.said += fmt::format(": {}, the next", faster(*ratio, m->variant));
    break;
  }
  choice.said += ties(all, winner, "it") + other_tiers(comparison, winner, nullptr);
  return choice;
}

bool decided(const Measurements& all) {
  return std::ranges::any_of(all, [&](const Measurement* m) {
    if (m == all.front()) return false;
    const auto ratio = ratio_over(*m, *all.front());
    return ratio && decides(*ratio);
  });
}

}  // namespace

Choice choose(const Comparison& comparison, const char* measured) {
  const Measurements all = timed_variants(comparison);
  if (all.empty()) return {.said = fmt::format("no verdict, because nothing was {}", measured)};
  const Measurement& first = *all.front();
  if (all.size() == 1) {
    return {.said = fmt::format("only {} was {}, {} us a pass: nothing to compare it with",
                                first.variant, measured, format_us(first.wall->median))};
  }
  if (!decided(all)) {
    return {.said = fmt::format("too few rounds to tell; {} had the shortest median, {} us",
                                first.variant, format_us(first.wall->median))};
  }
  // A rewrite is advised only where nothing else was measured.
  Measurements kept = all;
  std::erase_if(kept, [](const Measurement* m) {
    return tier_of(m->plan.model) == Tier::rewritten;
  });
  if (kept.empty()) kept = all;
  const auto reference = std::ranges::find(kept, comparison.reference, &Measurement::variant);
  if (reference == kept.end()) return among_themselves(comparison, kept);
  return against_reference(comparison, kept, **reference, measured);
}

}  // namespace trilane
