#include "common/analysis/verdict/answers.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <functional>
#include <optional>

#include "common/analysis/statistics/paired_ratio.hpp"
#include "common/analysis/verdict/answers_parts.hpp"
#include "common/analysis/verdict/range_words.hpp"
#include "common/analysis/verdict/verdict.hpp"
#include "common/analysis/verdict/winners.hpp"
#include "common/results/find.hpp"
#include "common/results/groups.hpp"
#include "common/text/words.hpp"

namespace trilane {
namespace {

All with(Effect effect, All all) {
  std::erase_if(all, [&](const Seen& seen) { return effect_of(seen.ratio) != effect; });
  return all;
}

std::string speed(const Seen& seen) { return said_speed(1 / seen.ratio.estimate) + "x"; }

/// "3.0x, break-even after 1.2 passes".
std::string speed_and_break_even(const Seen& seen) {
  if (!seen.break_even) return speed(seen);
  switch (seen.break_even->pays) {
    case Pays::at_once: return speed(seen) + " from the first pass";
    case Pays::later:
      if (!seen.break_even->passes) return speed(seen) + ", break-even unknown";
      return fmt::format("{}, break-even after {} passes", speed(seen),
                         passes_text(*seen.break_even->passes));
    case Pays::at_first:
    case Pays::never: return speed(seen) + ", set-up never recovered";
  }
  return speed(seen);
}

/// "launch (3.0x), search (1.04x) and 2 more", the largest effects first.
std::string each(All all, std::string (*details)(const Seen&)) {
  const auto size = [](const Seen& seen) { return std::abs(std::log(seen.ratio.estimate)); };
  std::ranges::stable_sort(all, std::greater(), size);
  std::vector<std::string> parts;
  for (const Seen& seen : all) {
    parts.push_back(fmt::format("{} ({})", seen.workload, details(seen)));
  }
  return shortened(parts, most_detailed);
}

std::string names(const All& all) {
  std::vector<std::string> parts;
  for (const Seen& seen : all) parts.push_back(seen.workload);
  return shortened(parts);
}

/// With a capital and a full stop.
std::string sentence(std::string text) {
  text.front() = static_cast<char>(std::toupper(static_cast<unsigned char>(text.front())));
  return text + ".";
}

std::string on_one(const Seen& seen) {
  switch (effect_of(seen.ratio)) {
    case Effect::gains: return fmt::format("Yes: {}.", speed_and_break_even(seen));
    case Effect::nothing: return sentence(no_difference(seen.ratio.covers));
    case Effect::loses: return fmt::format("No: {}.", speed(seen));
    case Effect::unclear: break;
  }
  return "";
}

/// Where the change gains, where it makes no difference, and where it loses.
std::string gains_and_losses(std::span<const Comparison> comparisons, Change change) {
  const All all = seen_with(comparisons, change);
  if (all.empty()) return "";
  if (comparisons.size() == 1) return on_one(all.front());
  const All gains = with(Effect::gains, all), nothing = with(Effect::nothing, all),
            losses = with(Effect::loses, all);
  const Covers covers = all.front().ratio.covers;
  if (nothing.size() == all.size()) {
    return sentence(fmt::format("{} anywhere", no_difference(covers)));
  }
  std::vector<std::string> sentences;
  if (!gains.empty()) {
    sentences.push_back(fmt::format("Faster on {}.", each(gains, speed_and_break_even)));
  }
  if (!losses.empty()) sentences.push_back(fmt::format("Slower on {}.", each(losses, speed)));
  if (!nothing.empty()) {
    sentences.push_back(sentence(fmt::format("{} on {}", no_difference(covers), names(nothing))));
  }
  return fmt::format("{}", fmt::join(sentences, " "));
}

}  // namespace

bool is(Change change, const Model& model) {
  Model changed = multi_stream;
  switch (change) {
    case Change::graph: changed.issuer = Issuer::graph; break;
    case Change::pool: changed.scratch = ScratchSource::pool; break;
    case Change::trimmed_pool: changed.scratch = ScratchSource::trimmed_pool; break;
    case Change::cuda_malloc: changed.scratch = ScratchSource::cuda_malloc; break;
    case Change::engines: changed.chaining = Chaining::engines; break;
  }
  return model == changed;
}

const Measurement* find_change(const Comparison& comparison, Change change) {
  for (const Measurement& m : comparison.measurements) {
    if (was_timed(m) && is(change, m.plan.model)) return &m;
  }
  return nullptr;
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
      all.push_back({label_among(comparison, comparisons), m.variant, *ratio,
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

std::vector<Answer> answers_to(std::span<const Comparison> comparisons) {
  std::vector<Answer> answers{{"Graph?", gains_and_losses(comparisons, Change::graph)},
                              {"Pool?", pool_answer(comparisons)},
                              {"Engines?", gains_and_losses(comparisons, Change::engines)},
                              {"Settings?", settings_answer(comparisons)}};
  std::erase_if(answers, [](const Answer& answer) { return answer.text.empty(); });
  return answers;
}

}  // namespace trilane
