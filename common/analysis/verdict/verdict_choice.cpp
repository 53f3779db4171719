#include <fmt/format.h>

#include <algorithm>

#include "common/analysis/statistics/paired_ratio.hpp"
#include "common/analysis/verdict/range_words.hpp"
#include "common/analysis/verdict/verdict.hpp"
#include "common/analysis/verdict/winners.hpp"
#include "common/results/find.hpp"
#include "common/text/size.hpp"
#include "common/text/words.hpp"

namespace trilane {
namespace {

using Measurements = std::vector<const Measurement*>;

/// "2.90", "1.002": near 1 with more digits.
std::string bound_of(double speed) {
  return fmt::format("{:.{}f}", speed, speed < 1.1 ? 3 : speed < 10 ? 2 : speed < 100 ? 1 : 0);
}

bool truly_faster(const Measurement* m) { return m->ratio && m->ratio->high < 1; }

/// Says what follows from one comparison.
class Speaker {
 public:
  Speaker(const Comparison& comparison, Times times)
      : comparison_(comparison), simulated_(times == Times::simulated) {}

  const char* measured() const { return simulated_ ? "simulated" : "measured"; }

  /// "2.9 times as fast as streams [2.89, 2.91]".
  std::string faster(const Ratio& ratio, const std::string& than) const {
    return fmt::format("{} times as fast as {}{}", said_speed(1 / ratio.estimate), than,
                       interval(ratio));
  }

  /// Why the reference stays the advice; `among` says of which variants.
  std::string nothing_faster(const Measurements& members, const Measurement& reference,
                             const char* among) const {
    if (reference.prediction) {
      return fmt::format("no gain {}is larger than the model's error", among);
    }
    return fmt::format("nothing {} {}is {}faster", measured(), among,
                       std::ranges::any_of(members, truly_faster) ? "even 1% " : "");
  }

  /// Names the candidates that tie with `base` in a sentence; empty if no candidate does.
  std::string ties(const Measurements& candidates, const Measurement& base,
                   const std::string& base_name) const {
    std::vector<std::string> names;
    Covers covers{};
    for (const Measurement* m : candidates) {
      if (m == &base) continue;
      const auto ratio = ratio_over(*m, base);
      if (!ratio || !decides(*ratio) || !ratio->tie()) continue;
      names.push_back(m->variant);
      covers = ratio->covers;
    }
    if (names.empty()) return "";
    return fmt::format(" {} {} {}.", listed(names), ties_with(covers, names.size() > 1), base_name);
  }

  /// What the other tiers offer over `base`, each as a sentence: the same operations always, if the
  /// advice is another tier's, and the others where they are faster than the advice.
  std::string other_tiers(const Measurement& advised, const Measurement& base) const {
    std::string text;
    for (const Winner& winner : comparison_.winners) {
      const Measurement* m = find_variant(comparison_, winner.variant);
      if (winner.tier == tier_of(advised.plan.model) || m == &base) continue;
      const bool plainer = winner.tier < tier_of(advised.plan.model);
      const auto ratio = ratio_over(*m, base);
      if (!ratio || !(plainer || clearly_faster(*m, advised))) continue;
      text += fmt::format(" {}: {}, {} times{}.", heading_of(winner.tier), m->variant,
                          said_speed(1 / ratio->estimate), interval(*ratio));
    }
    return text;
  }

 private:
  static std::string interval(const Ratio& ratio) {
    return " " + range_text(ratio.covers, bound_of(1 / ratio.high), bound_of(1 / ratio.low));
  }

  static const char* heading_of(Tier tier) {
    switch (tier) {
      case Tier::same_operations: return "Same operations";
      case Tier::moved_together: return "Moved together";
      case Tier::rewritten: return "Rewritten";
    }
    return "";
  }

  const Comparison& comparison_;
  bool simulated_;
};

/// How host submission changes, if neither variant blocks and the change is at least 10%.
std::string submission(const Measurement& from, const Measurement& to) {
  if (from.plan.blocks || to.plan.blocks) return "";
  const double before = from.submit->median, after = to.submit->median;
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

/// Those of the tier, of `all`.
Measurements members_of(const Measurements& all, Tier tier) {
  Measurements members = all;
  std::erase_if(members, [&](const Measurement* m) { return tier_of(m->plan.model) != tier; });
  return members;
}

/// With a reference, which stays the advice of its tier unless another variant is worth a change.
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
        .ties = speaker.ties(members, reference, reference.variant)};
  }
  return {.use = &use,
          .over = &reference,
          .ratio = use.ratio,
          .said = fmt::format("use {}: {}, {}.{}", use.variant,
                              speaker.faster(*use.ratio, reference.variant), name_of(tier), others),
          .submission = submission(reference, use),
          .ties = speaker.ties(members, use, use.variant) +
                  speaker.ties(members, reference, reference.variant)};
}

/// Without a reference: the best of the first tier that was timed, compared with the next of that
/// tier that does not tie with it.
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
  choice.ties = speaker.ties(members, use, use.variant);
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

Choice choose(const Comparison& comparison, Times times) {
  const Speaker speaker(comparison, times);
  const Measurements all = timed_variants(comparison);
  if (all.empty()) {
    return {.said = fmt::format("no verdict, because nothing was {}.", speaker.measured())};
  }
  const Measurement& first = *all.front();
  if (all.size() == 1) {
    return {.said = fmt::format("only {} was {}, {} us a pass: nothing to compare it with.",
                                first.variant, speaker.measured(), format_us(first.wall->median))};
  }
  if (!decided(all)) {
    return {.said =
                fmt::format("{}; {} had the shortest median, {} us.",
                            first.prediction ? "no gain is told apart, because the profile does "
                                               "not say how far the model is off"
                                             : "too few rounds to tell",
                            first.variant, format_us(first.wall->median))};
  }
  const auto reference = std::ranges::find(all, comparison.reference, &Measurement::variant);
  if (reference == all.end()) return among_themselves(speaker, comparison, all);
  return against_reference(speaker, comparison, all, **reference);
}

}  // namespace trilane
