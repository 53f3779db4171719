#include <fmt/format.h>

#include <algorithm>

#include "common/base/text/size.hpp"
#include "common/explain/analysis/verdict/candidate_choice.hpp"
#include "common/explain/analysis/verdict/verdict_parts.hpp"
#include "common/explain/analysis/verdict/winners.hpp"
#include "common/explain/statistics/variant_ratio.hpp"
#include "common/model/results/find.hpp"

namespace trilane {
namespace {

/// Ends in a space.
const char* among(Tier tier) {
  switch (tier) {
    case Tier::same_operations: return "with the same operations ";
    case Tier::moved_together: return "that moves chunks together ";
    case Tier::rewritten: return "among the rewrites ";
  }
  return "";
}

/// Returns the tier's members among `all`.
Measurements members_of(const Measurements& all, Tier tier) {
  Measurements members = all;
  std::erase_if(members, [&](const Measurement* m) { return tier_of(m->plan.model) != tier; });
  return members;
}

/// Chooses with a reference, which stays the advice of its tier unless another variant is worth a
/// change.
Choice against_reference(const Speaker& speaker, const Comparison& comparison,
                         const Measurements& all, const Measurement& reference) {
  const Tier tier = tier_of(reference.plan.model);
  const Measurements members = members_of(all, tier);
  const Winner& winner = *std::ranges::find(comparison.winners, tier, &Winner::tier);
  const Measurement& use = *find_variant(comparison, winner.variant);
  const std::string others = speaker.other_tiers(use, reference);
  if (&use == &reference) {
    return {
        .use = &reference,
        .said = fmt::format(
            "use {}: {}.{}", reference.variant,
            speaker.nothing_faster(members, reference, others.empty() ? "" : among(tier)), others),
        .ties = speaker.ties(members, reference)};
  }
  return {.use = &use,
          .over = &reference,
          .ratio = use.ratio,
          .said = fmt::format("use {}: {}, {}.{}", use.variant,
                              speaker.faster(*use.ratio, reference.variant), name_of(tier), others),
          .submission = submission(reference, use),
          .ties = speaker.ties(members, use) + speaker.ties(members, reference)};
}

/// Chooses without a reference: the best of the first tier that was timed, compared with the next
/// of that tier that does not tie with it.
Choice among_themselves(const Speaker& speaker, const Comparison& comparison,
                        const Measurements& all) {
  const Winner& first = comparison.winners.front();
  const Measurement& use = *find_variant(comparison, first.variant);
  const Measurements members = members_of(all, first.tier);
  Choice choice{.use = &use, .said = "use " + use.variant};
  for (const Measurement* m : members) {
    const auto ratio = ratio_over(use, *m);
    if (m == &use || !ratio || !(ratio->high < 1)) continue;
    choice.over = m;
    choice.ratio = ratio;
    choice.said += fmt::format(": {}, the next", speaker.faster(*ratio, m->variant));
    break;
  }
  choice.said += "." + speaker.other_tiers(use, use);
  choice.ties = speaker.ties(members, use);
  return choice;
}

bool decided(const Measurements& all) {
  return std::ranges::any_of(all, [&](const Measurement* m) {
    if (m == all.front()) return false;
    const auto ratio = ratio_over(*m, *all.front());
    return ratio && decides(*ratio);
  });
}

Choice choose_variant(const Comparison& comparison, Times times) {
  const Speaker speaker(comparison, times);
  const Measurements all = timed_variants(comparison);
  if (all.empty()) {
    return {.said = fmt::format("no verdict, because nothing was {}.", speaker.measured())};
  }
  const Measurement& first = *all.front();
  if (all.size() == 1) {
    return {.said = fmt::format("only {} was {}, {} us a pass: nothing to compare it with.",
                                first.variant, speaker.measured(), format_us(first.wall->mean))};
  }
  if (!decided(all)) {
    return {.said =
                fmt::format("{}; {} had the shortest mean, {} us.",
                            first.prediction ? "no gain is told apart, because the profile does "
                                               "not say how far the model is off"
                                             : "too few rounds to tell",
                            first.variant, format_us(first.wall->mean))};
  }
  const auto reference = std::ranges::find(all, comparison.reference, &Measurement::variant);
  if (reference == all.end()) return among_themselves(speaker, comparison, all);
  return against_reference(speaker, comparison, all, **reference);
}

}  // namespace

Choice choose(const Comparison& comparison, Times times) {
  switch (comparison.workload.origin()) {
    case Origin::knobs:
    case Origin::file: return choose_variant(comparison, times);
    case Origin::recording: break;
  }
  return choose_candidate(comparison, times);
}

}  // namespace trilane
