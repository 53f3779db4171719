#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "common/options/size.hpp"
#include "common/results/limitation.hpp"
#include "common/results/report.hpp"
#include "common/results/report_parts.hpp"
#include "common/results/results_io.hpp"
#include "common/results/statistics.hpp"

namespace trilane {
namespace {

using Measurements = std::vector<const Measurement*>;

Measurements usable(const Comparison& comparison) {
  Measurements found;
  for (const Measurement& m : comparison.measurements) {
    if (m.status == Status::ok && m.wall && m.submit) found.push_back(&m);
  }
  std::ranges::stable_sort(found, {}, [](const Measurement* m) { return m->wall->median; });
  return found;
}

/// "a", "a and b", "a, b and c".
std::string listed(const std::vector<std::string>& names) {
  if (names.size() < 2) return fmt::format("{}", fmt::join(names, ""));
  return fmt::format("{} and {}", fmt::join(names.begin(), names.end() - 1, ", "), names.back());
}

std::vector<std::string> names_with(const Comparison& comparison, Status status) {
  std::vector<std::string> names;
  for (const Measurement& m : comparison.measurements) {
    if (m.status == status) names.push_back(m.variant);
  }
  return names;
}

/// "2.90", "1.002": the closer to 1, the more digits it takes to tell it from 1.
std::string times(double ratio) {
  return fmt::format("{:.{}f}", ratio, ratio < 1.1 ? 3 : ratio < 10 ? 2 : ratio < 100 ? 1 : 0);
}

std::string faster(const Ratio& ratio, const std::string& than) {
  return fmt::format("{} times as fast as {} (95% interval {} to {})", times(1 / ratio.estimate),
                     than, times(1 / ratio.high), times(1 / ratio.low));
}

/// The ratio of `m` over `base`, whichever of them the comparison's reference is.
std::optional<Ratio> ratio_over(const Measurement& m, const Measurement& base) {
  return paired_ratio(m.samples, base.samples);
}

/// Those of `candidates` that cannot be told from `base`, as a clause; empty when there are none.
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

/// What the host gains or loses, where both leave it free and the difference is worth a word.
std::string submission(const Measurement& from, const Measurement& to) {
  if (from.plan.blocks || to.plan.blocks) return "";
  const double before = from.submit->median, after = to.submit->median;
  const bool drops = after<0.9 * before, rises = after> 1.1 * before;
  if (!drops && !rises) return "";
  return fmt::format("; host submission {} from {} to {} us", drops ? "drops" : "rises",
                     format_us(before), format_us(after));
}

bool truly_faster(const Measurement* m) { return m->ratio && m->ratio->high < 1; }

/// A gain below 1% may well be measured, but from one process to the next more than that changes.
bool worth_a_change(const Measurement& m) {
  return truly_faster(&m) && m.ratio->estimate <= 1 / 1.01;
}

/// Of the variants that cannot be told from `fastest` and are worth a change from the reference,
/// the first in the comparison's order, which goes from plain to elaborate.
const Measurement& simplest_of_the_best(const Comparison& comparison, const Measurement& fastest) {
  for (const Measurement& m : comparison.measurements) {
    if (m.status != Status::ok || !worth_a_change(m)) continue;
    const auto ratio = ratio_over(m, fastest);
    if (&m == &fastest || (ratio && ratio->tie())) return m;
  }
  return fastest;
}

/// What is advised, over what, and in words. Without a measurement to use only words.
struct Choice {
  const Measurement* use = nullptr;
  const Measurement* over = nullptr;
  std::optional<Ratio> ratio{};
  std::string said{};
};

/// With a reference: it stays the advice unless another is truly faster. `measured` is the word for
/// what was done, here and below.
Choice against_reference(const Comparison& comparison, const Measurements& all,
                         const Measurement& reference, const char* measured) {
  const auto best =
      std::ranges::find_if(all, [](const Measurement* m) { return worth_a_change(*m); });
  if (best == all.end()) {
    return {.use = &reference,
            .said = fmt::format("use {}: nothing {} is {}faster{}", reference.variant, measured,
                                std::ranges::any_of(all, truly_faster) ? "even 1% " : "",
                                ties(all, reference, "it"))};
  }
  const Measurement& winner = simplest_of_the_best(comparison, **best);
  return {&winner, &reference, winner.ratio,
          fmt::format("use {}: {}{}{}{}", winner.variant, faster(*winner.ratio, reference.variant),
                      submission(reference, winner), ties(all, winner, "it"),
                      ties(all, reference, reference.variant))};
}

/// Without one: the shortest median, held against the next that does not tie with it.
Choice among_themselves(const Measurements& all) {
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
  choice.said += ties(all, winner, "it");
  return choice;
}

bool decided(const Measurements& all) {
  return std::ranges::any_of(all, [&](const Measurement* m) {
    if (m == all.front()) return false;
    const auto ratio = ratio_over(*m, *all.front());
    return ratio && decides(*ratio);
  });
}

Choice choose(const Comparison& comparison, const char* measured) {
  const Measurements all = usable(comparison);
  if (all.empty()) return {.said = fmt::format("no verdict, for nothing was {}", measured)};
  const Measurement& first = *all.front();
  if (all.size() == 1) {
    return {.said = fmt::format("only {} was {}, {} us a pass: nothing to compare it with",
                                first.variant, measured, format_us(first.wall->median))};
  }
  if (!decided(all)) {
    return {.said = fmt::format("too few rounds to tell; {} had the shortest median, {} us",
                                first.variant, format_us(first.wall->median))};
  }
  const auto reference = std::ranges::find_if(
      all, [&](const Measurement* m) { return m->variant == comparison.reference; });
  if (reference == all.end()) return among_themselves(all);
  return against_reference(comparison, all, **reference, measured);
}

std::string passes(const BreakEven& break_even) {
  const char* without_end = break_even.pays == Pays::at_first ? "always" : "never";
  const auto text = [&](const std::optional<double>& count) {
    return count ? passes_text(*count) : without_end;
  };
  return fmt::format("{} passes (95% interval {} to {})", text(break_even.passes),
                     text(break_even.low), text(break_even.high));
}

std::string pays(const BreakEven& break_even) {
  switch (break_even.pays) {
    case Pays::at_once:
      if (break_even.high == 0.0) return "it is ahead from the first pass on";
      return "it has paid for its set-up after " + passes(break_even);
    case Pays::never: return "it never makes up for its set-up";
    case Pays::later: return "it has paid for its set-up after " + passes(break_even);
    case Pays::at_first: break;
  }
  return "it is ahead only for the first " + passes(break_even);
}

std::optional<std::uint64_t> device_bytes(const Measurement* m) {
  if (m == nullptr || !m->price || m->price->device_bytes.empty()) return std::nullopt;
  return median_bytes(m->price->device_bytes);
}

/// When the advice has paid and what memory it takes, as a sentence with a space before it.
std::string cost(const Choice& choice) {
  std::vector<std::string> parts;
  if (choice.over != nullptr && choice.use->break_even) {
    parts.push_back(pays(*choice.use->break_even));
  }
  if (const auto bytes = device_bytes(choice.use)) {
    const auto other = device_bytes(choice.over);
    parts.push_back(fmt::format(
        "{}takes {} device memory{}", parts.empty() ? "it " : "",
        *bytes == 0 ? "no" : format_bytes(*bytes) + " of",
        other ? fmt::format(", {} {}", choice.over->variant, format_bytes(*other)) : ""));
  }
  if (parts.empty()) return "";
  parts.front().front() = 'I';
  return fmt::format(" {}.", fmt::join(parts, ", and "));
}

/// What limits it, with the figures, and what to try next, as sentences.
std::string outlook(const Limitation& limitation) {
  if (limitation.by.empty()) return "";
  return fmt::format(" What limits it: {}; {}. To try next: {}.",
                     limitation.by == "SMs" ? "the SMs" : limitation.by, limitation.figures,
                     limitation.next);
}

/// Who is missing from the advice, and what cut the run short.
std::string reservations(const Comparison& comparison) {
  std::string text;
  for (const auto& [status, phrase] :
       {std::pair{Status::failed, "failed"}, {Status::not_run, "did not run"}}) {
    const auto names = names_with(comparison, status);
    if (!names.empty()) text += fmt::format(" {} {}.", listed(names), phrase);
  }
  if (comparison.stopped == "interrupted") text += " The run was interrupted.";
  if (comparison.stopped == "lost") text += " An error left the GPU unusable and ended the run.";
  return text;
}

}  // namespace

std::string verdict(const Comparison& comparison, const std::string& simulated) {
  const Choice choice = choose(comparison, simulated.empty() ? "measured" : "simulated");
  const std::string on = simulated.empty() ? "" : fmt::format(", simulated {}", simulated);
  std::string text = fmt::format("{}{}: {}.", comparison.workload.label(), on, choice.said);
  if (choice.use != nullptr) {
    text += cost(choice) + outlook(limitation_of(comparison, *choice.use));
  }
  return text + reservations(comparison);
}

std::optional<Advice> advice(const Comparison& comparison) {
  const Choice choice = choose(comparison, "");
  if (choice.use == nullptr) return std::nullopt;
  const Limitation limitation = limitation_of(comparison, *choice.use);
  Advice advice{.use = choice.use->variant,
                .over = choice.over == nullptr ? "" : choice.over->variant,
                .ratio = choice.ratio,
                .break_even = choice.use->break_even,
                .device_bytes = device_bytes(choice.use),
                .limited_by = limitation.by,
                .share = limitation.share,
                .figures = limitation.figures,
                .next = limitation.next};
  return advice;
}

}  // namespace trilane
