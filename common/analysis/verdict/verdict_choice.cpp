#include "common/analysis/verdict/verdict.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "common/analysis/statistics/paired_ratio.hpp"
#include "common/text/size.hpp"
#include "common/text/words.hpp"

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

/// "2.90", "1.002": near 1 with more digits.
std::string times(double ratio) {
  return fmt::format("{:.{}f}", ratio, ratio < 1.1 ? 3 : ratio < 10 ? 2 : ratio < 100 ? 1 : 0);
}

std::string faster(const Ratio& ratio, const std::string& than) {
  return fmt::format("{} times as fast as {} (95% interval {} to {})", times(1 / ratio.estimate),
                     than, times(1 / ratio.high), times(1 / ratio.low));
}

/// The ratio of `m` over `base`; neither need be the comparison's reference.
std::optional<Ratio> ratio_over(const Measurement& m, const Measurement& base) {
  return paired_ratio(m.samples, base.samples);
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

/// A gain below 1% can be measured, but differences between processes are larger.
bool worth_a_change(const Measurement& m) {
  return truly_faster(&m) && m.ratio->estimate <= 1 / 1.01;
}

/// The first variant, in the comparison's order from plain to elaborate, that ties with `fastest`
/// and is worth a change from the reference.
const Measurement& simplest_of_the_best(const Comparison& comparison, const Measurement& fastest) {
  for (const Measurement& m : comparison.measurements) {
    if (m.status != Status::ok || !worth_a_change(m)) continue;
    const auto ratio = ratio_over(m, fastest);
    if (&m == &fastest || (ratio && ratio->tie())) return m;
  }
  return fastest;
}

/// With a reference, which stays the advice unless another variant is worth a change.
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

/// Without a reference: the shortest median, compared with the next that does not tie with it.
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

}  // namespace

Choice choose(const Comparison& comparison, const char* measured) {
  const Measurements all = usable(comparison);
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
  const auto reference = std::ranges::find_if(
      all, [&](const Measurement* m) { return m->variant == comparison.reference; });
  if (reference == all.end()) return among_themselves(all);
  return against_reference(comparison, all, **reference, measured);
}

}  // namespace trilane
