#include <fmt/format.h>

#include <algorithm>

#include "common/base/text/size.hpp"
#include "common/base/text/words.hpp"
#include "common/explain/analysis/verdict/range_words.hpp"
#include "common/explain/analysis/verdict/verdict.hpp"
#include "common/explain/analysis/verdict/winners.hpp"
#include "common/explain/statistics/ratio.hpp"
#include "common/model/results/find.hpp"

namespace trilane {
namespace {

using Measurements = std::vector<const Measurement*>;

const char* measured(Times times) { return times == Times::simulated ? "simulated" : "measured"; }

/// Returns "2.90", "1.002": near 1 with more digits.
std::string bound_of(double speed) {
  return fmt::format("{:.{}f}", speed, speed < 1.1 ? 3 : speed < 10 ? 2 : speed < 100 ? 1 : 0);
}

bool truly_faster(const Measurement* m) { return m->ratio && m->ratio->high < 1; }

std::string interval(const Ratio& ratio) {
  return " " + range_text(ratio.covers, bound_of(1 / ratio.high), bound_of(1 / ratio.low));
}

const char* heading_of(Tier tier) {
  switch (tier) {
    case Tier::same_operations: return "Same operations";
    case Tier::moved_together: return "Moved together";
    case Tier::rewritten: return "Rewritten";
  }
  return "";
}

/// Says why the reference stays the advice; `among`, which ends in a space, says of which variants.
std::string nothing_faster(const Measurements& members, const Measurement& reference,
                           const char* among, Times times) {
  if (reference.prediction) {
    return fmt::format("no gain {}is larger than the model's error", among);
  }
  return fmt::format("nothing {} {}is {}faster", measured(times), among,
                     std::ranges::any_of(members, truly_faster) ? "even 1% " : "");
}

/// Names the candidates that tie with `base` in a sentence; empty if no candidate does.
std::string ties(const Measurements& candidates, const Measurement& base) {
  std::vector<std::string> names;
  Covers covers{};
  for (const Measurement* m : candidates) {
    if (m == &base) continue;
    const auto ratio = wall_ratio(*m, base);
    if (!ratio || !decides(*ratio) || !ratio->tie()) continue;
    names.push_back(m->variant);
    covers = ratio->covers;
  }
  if (names.empty()) return "";
  const RangeWords words = range_words(covers);
  return fmt::format(" {} {} {}.", listed(names),
                     names.size() > 1 ? words.tie_with : words.ties_with, base.variant);
}

/// Says what the other tiers offer over `base`, each as a sentence: the same operations always, if
/// the advice is another tier's, and the others if they are faster than the advice.
std::string other_tiers(const Comparison& comparison, const Measurement& advised,
                        const Measurement& base) {
  std::string text;
  for (const Winner& winner : comparison.winners) {
    const Measurement* m = find_variant(comparison, winner.variant);
    if (winner.tier == tier_of(advised.plan.model) || m == &base) continue;
    const bool plainer = winner.tier < tier_of(advised.plan.model);
    const auto ratio = wall_ratio(*m, base);
    if (!ratio || !(plainer || clearly_faster(*m, advised))) continue;
    text += fmt::format(" {}: {}, {} times{}.", heading_of(winner.tier), m->variant,
                        said_speed(1 / ratio->estimate), interval(*ratio));
  }
  return text;
}

/// Says how host submission changes, if neither variant blocks and the change is at least 10%.
std::string submission(const Measurement& from, const Measurement& to) {
  if (from.plan.blocks || to.plan.blocks) return "";
  const double before = from.submit->mean, after = to.submit->mean;
  const bool drops = after < 0.9 * before;
  const bool rises = after > 1.1 * before;
  if (!drops && !rises) return "";
  return fmt::format(" Host submission {} from {} to {} us.", drops ? "drops" : "rises",
                     format_us(before), format_us(after));
}

/// Ends in a space.
const char* among(Tier tier) {
  switch (tier) {
    case Tier::same_operations: return "with the same operations ";
    case Tier::moved_together: return "that moves chunks together ";
    case Tier::rewritten: return "among the rewrites ";
  }
  return "";
}

Measurements members_of(const Measurements& all, Tier tier) {
  Measurements members = all;
  std::erase_if(members, [&](const Measurement* m) { return tier_of(m->plan.model) != tier; });
  return members;
}

/// Chooses with a reference, which stays the advice of its tier unless another variant is worth a
/// change.
Choice against_reference(const Comparison& comparison, const Measurements& all,
                         const Measurement& reference, Times times) {
  const Tier tier = tier_of(reference.plan.model);
  const Measurements members = members_of(all, tier);
  const Measurement& use = *find_variant(comparison, winner_of(comparison, tier)->variant);
  const std::string others = other_tiers(comparison, use, reference);
  if (&use == &reference) {
    return {
        .use = &reference,
        .said = fmt::format(
            "use {}: {}.{}", reference.variant,
            nothing_faster(members, reference, others.empty() ? "" : among(tier), times), others),
        .ties = ties(members, reference)};
  }
  return {.use = &use,
          .over = &reference,
          .ratio = use.ratio,
          .said = fmt::format("use {}: {}, {}.{}", use.variant,
                              faster_words(*use.ratio, reference.variant), name_of(tier), others),
          .submission = submission(reference, use),
          .ties = ties(members, use) + ties(members, reference)};
}

/// Chooses without a reference: the best of the first tier that was timed, compared with the next
/// of that tier that does not tie with it.
Choice among_themselves(const Comparison& comparison, const Measurements& all) {
  const Winner& first = comparison.winners.front();
  const Measurement& use = *find_variant(comparison, first.variant);
  const Measurements members = members_of(all, first.tier);
  Choice choice{.use = &use, .said = "use " + use.variant};
  for (const Measurement* m : members) {
    const auto ratio = wall_ratio(use, *m);
    if (m == &use || !ratio || !(ratio->high < 1)) continue;
    choice.over = m;
    choice.ratio = ratio;
    choice.said += fmt::format(": {}, the next", faster_words(*ratio, m->variant));
    break;
  }
  choice.said += "." + other_tiers(comparison, use, use);
  choice.ties = ties(members, use);
  return choice;
}

bool decided(const Measurements& all) {
  return std::ranges::any_of(all, [&](const Measurement* m) {
    if (m == all.front()) return false;
    const auto ratio = wall_ratio(*m, *all.front());
    return ratio && decides(*ratio);
  });
}

}  // namespace

std::string faster_words(const Ratio& ratio, const std::string& than) {
  return fmt::format("{} times as fast as {}{}", said_speed(1 / ratio.estimate), than,
                     interval(ratio));
}

namespace {

Choice choose_variant(const Comparison& comparison, Times times) {
  const Measurements all = timed_variants(comparison);
  if (all.empty()) {
    return {.said = fmt::format("no verdict, because nothing was {}.", measured(times))};
  }
  const Measurement& first = *all.front();
  if (all.size() == 1) {
    return {.said = fmt::format("only {} was {}, {} us a pass: nothing to compare it with.",
                                first.variant, measured(times), format_us(first.wall->mean))};
  }
  if (!decided(all)) {
    return {.said = fmt::format(
                "{}; {} had the shortest mean, {} us.",
                first.prediction
                    ? "no gain can be claimed, because the profile does not give the model's error"
                    : "too few rounds to tell",
                first.variant, format_us(first.wall->mean))};
  }
  const auto reference = std::ranges::find(all, comparison.reference, &Measurement::variant);
  if (reference == all.end()) return among_themselves(comparison, all);
  return against_reference(comparison, all, **reference, times);
}

}  // namespace

Choice choose(const Comparison& comparison, Times times) {
  switch (comparison.workload.origin()) {
    case Origin::knobs:
    case Origin::file: return choose_variant(comparison, times);
    case Origin::recording: break;
  }
  return choose_candidate(comparison);
}

}  // namespace trilane
