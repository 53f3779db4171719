#include <algorithm>

#include "common/explain/analysis/verdict/answers_parts.hpp"
#include "common/explain/analysis/verdict/winners.hpp"
#include "common/explain/statistics/ratio.hpp"
#include "common/model/results/find.hpp"
#include "common/model/results/groups.hpp"

namespace trilane {

const Measurement* find_change(const Comparison& comparison, Change change) {
  for (const Measurement& m : comparison.measurements) {
    if (was_timed(m) && is(change, m.plan.model)) return &m;
  }
  return nullptr;
}

std::string in_list(std::string label) {
  for (std::size_t at = 0; (at = label.find(", ", at)) != std::string::npos;)
    label.replace(at, 2, "/");
  return label;
}

All seen_with(std::span<const Comparison> comparisons, Change change) {
  All all;
  for (const Comparison& comparison : comparisons) {
    const auto base = std::ranges::find_if(comparison.measurements, [](const Measurement& m) {
      return was_timed(m) && m.plan.model == multi_stream;
    });
    if (base == comparison.measurements.end()) continue;
    const bool reference = base->variant == comparison.reference;
    for (const Measurement& m : comparison.measurements) {
      if (!was_timed(m) || !is(change, m.plan.model)) continue;
      const auto ratio = reference ? m.ratio : ratio_over(m, *base);
      if (effect_of(ratio) == Effect::unclear) continue;
      all.push_back({in_list(label_among(comparison, comparisons)), m.variant, *ratio,
                     base->wall->mean * (1 - ratio->estimate),
                     reference ? m.break_even : std::nullopt});
    }
  }
  return all;
}

Effect effect_of(const std::optional<Ratio>& ratio) {
  if (!ratio || !decides(*ratio)) return Effect::unclear;
  if (is_gain(*ratio)) return Effect::gains;
  return ratio->low > 1 && ratio->estimate >= 1.01 ? Effect::loses : Effect::nothing;
}

}  // namespace trilane
