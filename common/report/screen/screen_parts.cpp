#include "common/report/screen/screen_parts.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "common/analysis/statistics/paired_ratio.hpp"
#include "common/analysis/verdict/answers.hpp"
#include "common/analysis/verdict/winners.hpp"
#include "common/results/find.hpp"
#include "common/text/layout.hpp"
#include "common/text/size.hpp"
#include "common/text/words.hpp"

namespace trilane {
namespace {

/// "3.00x", "tie", "?": the speed over the reference.
std::string speed_cell(const Measurement& m) {
  switch (effect_of(m)) {
    case Effect::gains:
    case Effect::loses: return short_speed(1 / m.ratio->estimate) + "x";
    case Effect::nothing: return "tie";
    case Effect::unclear: break;
  }
  return "?";
}

std::string change_cell(const Comparison& comparison, Change change) {
  const Measurement* m = find_change(comparison, change);
  return m ? speed_cell(*m) : "-";
}

const Winner* winner_of(const Comparison& comparison, Tier tier) {
  const auto found = std::ranges::find(comparison.winners, tier, &Winner::tier);
  return found == comparison.winners.end() ? nullptr : &*found;
}

/// The faster of the two winners that keep the stages; nullptr without one.
const Winner* best_kept(const Comparison& comparison) {
  const Winner* same = winner_of(comparison, Tier::same_operations);
  const Winner* moved = winner_of(comparison, Tier::moved_together);
  if (!same || !moved) return same ? same : moved;
  const auto ratio = ratio_over(*find_variant(comparison, moved->variant),
                                *find_variant(comparison, same->variant));
  return ratio && ratio->high < 1 ? moved : same;
}

std::string winner_cell(const Comparison& comparison, const Winner* winner) {
  if (!winner) return "-";
  if (winner->variant == comparison.reference) return winner->variant;
  return fmt::format("{} {}", winner->variant,
                     speed_cell(*find_variant(comparison, winner->variant)));
}

std::string reference_time(const Comparison& comparison) {
  const Measurement* reference = find_reference(comparison);
  return reference && reference->wall ? short_time(reference->wall->median) : "-";
}

bool matters(const Comparison& comparison, const Measurement& m) {
  if (comparison.measurements.size() <= few_variants || m.status == Status::failed) return true;
  if (m.variant == comparison.reference) return true;
  for (const Change change : all_changes) {
    if (&m == find_change(comparison, change)) return true;
  }
  return std::ranges::find(comparison.winners, m.variant, &Winner::variant) !=
         comparison.winners.end();
}

std::string interval_cell(const Comparison& comparison, const Measurement& m) {
  if (m.status != Status::ok) return name_of(m.status);
  if (m.variant == comparison.reference) return "reference";
  if (!m.ratio || !decides(*m.ratio)) return "too few rounds";
  return fmt::format("{} [{}, {}]", speed_cell(m), short_speed(1 / m.ratio->high),
                     short_speed(1 / m.ratio->low));
}

std::string gain_text(const Winner& winner, const std::string& reference) {
  return fmt::format("{}, {} times as fast as {} ({} to {})", winner.variant,
                     short_speed(1 / winner.ratio->estimate), reference,
                     short_speed(1 / winner.ratio->high), short_speed(1 / winner.ratio->low));
}

}  // namespace

std::string workload_rows(std::span<const Comparison> comparisons) {
  const std::string reference = comparisons.front().reference;
  Table table{{"", ">" + reference + ", us", ">graph", ">pool", "best with the same stages",
               "best rewrite", ">limit, us"},
              {}};
  for (const Comparison& c : comparisons) {
    table.rows.push_back({c.workload.label(), reference_time(c), change_cell(c, Change::graph),
                          change_cell(c, Change::pool), winner_cell(c, best_kept(c)),
                          winner_cell(c, winner_of(c, Tier::rewritten)),
                          c.limit ? short_time(c.limit->bound_us) : "-"});
  }
  return plain_table(table) +
         screen_line(fmt::format("x: times as fast as {}; tie: no difference, or below 1%.",
                                  reference));
}

std::string variant_rows(const Comparison& comparison) {
  Table table{{comparison.workload.label(), ">wall, us", ">submit, us", "speed [95% interval]", ""},
              {}};
  for (const Measurement& m : comparison.measurements) {
    if (!matters(comparison, m)) continue;
    const bool timed = m.status == Status::ok && m.wall;
    table.rows.push_back({m.variant, timed ? short_time(m.wall->median) : "-",
                          timed ? short_time(m.submit->median) : "-",
                          interval_cell(comparison, m), name_of(tier_of(m.plan.model))});
  }
  std::string text = plain_table(table);
  if (comparison.limit) {
    text += screen_line(fmt::format("Limit, chunk by chunk: {} us.",
                                     format_us(comparison.limit->bound_us)));
  }
  return text;
}

std::string advice_line(const Comparison& comparison) {
  const Winner* kept = best_kept(comparison);
  const Winner* rewrite = winner_of(comparison, Tier::rewritten);
  std::string text;
  if (kept) {
    text = kept->ratio ? gain_text(*kept, comparison.reference) + "."
                       : fmt::format("{}: nothing with the same stages is faster by 1%.",
                                     kept->variant);
  }
  if (rewrite && rewrite->ratio && worth_a_change(*find_variant(comparison, rewrite->variant))) {
    text += fmt::format("{}{}{}.", text.empty() ? "" : " ", "Rewritten: ",
                        gain_text(*rewrite, comparison.reference));
  }
  return text.empty() ? comparison.verdict : text;
}

std::string shortened(const std::vector<std::string>& names) {
  constexpr std::size_t most = 4;
  if (names.size() <= most) return listed(names);
  return fmt::format("{} and {} more",
                     fmt::join(names.begin(), names.begin() + most, ", "), names.size() - most);
}

}  // namespace trilane
