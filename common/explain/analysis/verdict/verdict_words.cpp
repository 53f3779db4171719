#include <fmt/format.h>

#include <algorithm>

#include "common/base/text/size.hpp"
#include "common/base/text/words.hpp"
#include "common/explain/analysis/verdict/range_words.hpp"
#include "common/explain/analysis/verdict/verdict_parts.hpp"
#include "common/explain/analysis/verdict/winners.hpp"
#include "common/explain/statistics/ratio.hpp"
#include "common/model/results/find.hpp"

namespace trilane {
namespace {

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

}  // namespace

std::string Speaker::faster(const Ratio& ratio, const std::string& than) const {
  return fmt::format("{} times as fast as {}{}", said_speed(1 / ratio.estimate), than,
                     interval(ratio));
}

std::string Speaker::nothing_faster(const Measurements& members, const Measurement& reference,
                                    const char* among) const {
  if (reference.prediction) {
    return fmt::format("no gain {}is larger than the model's error", among);
  }
  return fmt::format("nothing {} {}is {}faster", measured(), among,
                     std::ranges::any_of(members, truly_faster) ? "even 1% " : "");
}

std::string Speaker::ties(const Measurements& candidates, const Measurement& base) const {
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
  return fmt::format(" {} {} {}.", listed(names), ties_with(covers, names.size() > 1),
                     base.variant);
}

std::string Speaker::other_tiers(const Measurement& advised, const Measurement& base) const {
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

std::string submission(const Measurement& from, const Measurement& to) {
  if (from.plan.blocks || to.plan.blocks) return "";
  const double before = from.submit->mean, after = to.submit->mean;
  const bool drops = after < 0.9 * before;
  const bool rises = after > 1.1 * before;
  if (!drops && !rises) return "";
  return fmt::format(" Host submission {} from {} to {} us.", drops ? "drops" : "rises",
                     format_us(before), format_us(after));
}

}  // namespace trilane
