#include "common/explain/analysis/verdict/verdict.hpp"

#include "common/base/text/size.hpp"
#include "common/base/text/words.hpp"
#include "common/explain/analysis/verdict/derive.hpp"
#include "common/explain/analysis/verdict/loads.hpp"
#include "common/explain/statistics/statistics.hpp"

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

struct TierWords {
  const char *heading, *among;  ///< `among` ends in a space
};

TierWords words_of(Tier tier) {
  switch (tier) {
    case Tier::same_operations: return {"Same operations", "with the same operations "};
    case Tier::moved_together: return {"Moved together", "that moves chunks together "};
    case Tier::rewritten: return {"Rewritten", "among the rewrites "};
  }
  return {};
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
    text += fmt::format(" {}: {}, {} times{}.", words_of(winner.tier).heading, m->variant,
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

Measurements members_of(const Measurements& all, Tier tier) {
  Measurements members = all;
  std::erase_if(members, [&](const Measurement* m) { return tier_of(m->plan.model) != tier; });
  return members;
}

/// Chooses with a reference: the advice of its tier unless another variant is worth a change.
Choice against_reference(const Comparison& comparison, const Measurements& all,
                         const Measurement& reference, Times times) {
  const Tier tier = tier_of(reference.plan.model);
  const Measurements members = members_of(all, tier);
  const Measurement& use = *find_variant(comparison, winner_of(comparison, tier)->variant);
  const std::string others = other_tiers(comparison, use, reference);
  if (&use == &reference) {
    return {.use = &reference,
            .said = fmt::format("use {}: {}.{}", reference.variant,
                                nothing_faster(members, reference,
                                               others.empty() ? "" : words_of(tier).among, times),
                                others),
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

/// Returns "3.1 passes [2.9, never]".
std::string passes(const BreakEven& break_even) {
  const auto text = [&](const auto& count) { return passes_text(count, break_even.pays); };
  return fmt::format("{} passes {}", text(break_even.passes),
                     range_text(break_even.covers, text(break_even.low), text(break_even.high)));
}

std::string pays(const BreakEven& break_even) {
  switch (break_even.pays) {
    case Pays::at_once:
      if (break_even.high && *break_even.high < 1) return "is ahead from the first pass on";
      [[fallthrough]];
    case Pays::later: return "breaks even after " + passes(break_even);
    case Pays::never: return "never breaks even";
    case Pays::at_first: break;
  }
  return "is ahead only for the first " + passes(break_even);
}

std::optional<std::uint64_t> device_bytes(const Measurement* m) {
  if (m == nullptr || !m->price || m->price->device_bytes.empty()) return std::nullopt;
  return median_bytes(m->price->device_bytes);
}

/// Returns a sentence on the device memory of the advised variant and that of the other one.
std::string memory(std::uint64_t bytes, std::optional<std::uint64_t> other, const Choice& choice) {
  const auto amount = [](std::uint64_t size) { return size == 0 ? "none" : format_bytes(size); };
  const std::string text = " Device memory: " + amount(bytes);
  if (!other) return text + ".";
  if (*other == bytes) return fmt::format("{}, as for {}.", text, choice.over->variant);
  return fmt::format("{} ({}: {}).", text, choice.over->variant, amount(*other));
}

std::string outlook(const Limitation& limitation, const std::string& next) {
  if (!limitation.by) return "";
  return fmt::format(" What limits it: {}; {}.{}",
                     limitation.by == Limiter::sms ? "the SMs" : name_of(*limitation.by),
                     limitation.figures,
                     next.empty() ? "" : fmt::format(" To try next: {}.", next));
}

std::string words_of(const std::optional<NextStep>& step, const Comparison& comparison,
                     const Measurement& m) {
  return step ? words_of(*step, comparison, m) : "";
}

std::string reservations(const Comparison& comparison) {
  std::string text;
  for (const auto& [status, phrase] : {std::pair{Status::failed, "failed"},
                                       {Status::out_of_memory, "ran out of memory"},
                                       {Status::not_run, "did not run"}}) {
    std::vector<std::string> names;
    for (const Measurement& m : comparison.measurements) {
      if (m.status == status) names.push_back(m.variant);
    }
    if (!names.empty()) text += fmt::format(" {} {}.", listed(names), phrase);
  }
  for (const std::string& what : comparison.not_modelled) text += " Not modelled: " + what;
  if (comparison.stopped == "interrupted") text += " The run was interrupted.";
  if (comparison.stopped == "lost") text += " An error left the GPU unusable and ended the run.";
  return text;
}

}  // namespace

std::string faster_words(const Ratio& ratio, const std::string& than) {
  return fmt::format("{} times as fast as {}{}", said_speed(1 / ratio.estimate), than,
                     interval(ratio));
}

Choice choose(const Comparison& comparison, Times times) {
  switch (comparison.workload.origin()) {
    case Origin::knobs:
    case Origin::file: return choose_variant(comparison, times);
    case Origin::recording: break;
  }
  return choose_candidate(comparison);
}

std::string cost_of(const Choice& choice) {
  std::string text;
  if (choice.over != nullptr && choice.use->break_even) {
    text = fmt::format(" {} {}.", choice.use->variant, pays(*choice.use->break_even));
  }
  const auto bytes = device_bytes(choice.use);
  return bytes ? text + memory(*bytes, device_bytes(choice.over), choice) : text;
}

std::string passes_text(double passes) {
  if (passes < 0.05) return passes > 0 ? "<0.1" : "0";
  if (passes < 9.95) return fmt::format("{:.1f}", passes);
  return passes < 99999.5 ? fmt::format("{:.0f}", passes) : fmt::format("{:.0e}", passes);
}

std::string passes_text(const std::optional<double>& passes, Pays kind) {
  if (passes) return passes_text(*passes);
  return kind == Pays::at_first ? "always" : "never";
}

std::string verdict(const Comparison& comparison, const std::string& simulated) {
  const Times times = simulated.empty() ? Times::measured : Times::simulated;
  const Choice choice = choose(comparison, times);
  const std::string on = simulated.empty() ? "" : fmt::format(", simulated {}", simulated);
  std::string text =
      fmt::format("{}{}: {}{}", comparison.workload.label(), on, choice.said, choice.submission);
  if (choice.use != nullptr) {
    text += cost_of(choice) + choice.ties +
            outlook(limitation_of(comparison, *choice.use),
                    words_of(next_step(comparison, *choice.use), comparison, *choice.use));
  }
  return text + reservations(comparison);
}

std::optional<Advice> advice(const Comparison& comparison) {
  const Choice choice = choose(comparison, Times::measured);
  if (choice.use == nullptr) return std::nullopt;
  const Limitation limitation = limitation_of(comparison, *choice.use);
  const std::optional<NextStep> step = next_step(comparison, *choice.use);
  return Advice{.use = choice.use->variant,
                .over = choice.over == nullptr ? "" : choice.over->variant,
                .ratio = choice.ratio,
                .break_even = choice.use->break_even,
                .device_bytes = device_bytes(choice.use),
                .limited_by = limitation.by ? name_of(*limitation.by) : "",
                .share = limitation.share,
                .figures = limitation.figures,
                .next = words_of(step, comparison, *choice.use),
                .step = step};
}

}  // namespace trilane
