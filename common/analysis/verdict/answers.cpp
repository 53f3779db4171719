#include "common/analysis/verdict/answers.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "common/analysis/statistics/paired_ratio.hpp"
#include "common/analysis/verdict/verdict.hpp"
#include "common/analysis/verdict/winners.hpp"
#include "common/results/find.hpp"
#include "common/text/words.hpp"

namespace trilane {
namespace {

/// A change on one workload.
struct Seen {
  std::string workload;
  const Measurement* m;
};

std::vector<Seen> seen_with(std::span<const Comparison> comparisons, Change change, Effect effect) {
  std::vector<Seen> all;
  for (const Comparison& comparison : comparisons) {
    const Measurement* m = find_change(comparison, change);
    if (m && effect_of(*m) == effect) all.push_back({comparison.workload.label(), m});
  }
  return all;
}

bool any(std::span<const Comparison> comparisons, Change change) {
  return std::ranges::any_of(comparisons, [&](const Comparison& comparison) {
    const Measurement* m = find_change(comparison, change);
    return m && effect_of(*m) != Effect::unclear;
  });
}

/// "launch (3.00 times as fast), search (1.04)": `details` of each in parentheses.
template <typename Details>
std::string each(const std::vector<Seen>& all, Details details) {
  std::vector<std::string> parts;
  for (const Seen& seen : all) {
    parts.push_back(fmt::format("{} ({})", seen.workload, details(*seen.m)));
  }
  return listed(parts);
}

std::string names(const std::vector<Seen>& all) {
  std::vector<std::string> parts;
  for (const Seen& seen : all) parts.push_back(seen.workload);
  return listed(parts);
}

std::string speed(const Measurement& m) { return short_speed(1 / m.ratio->estimate) + "x"; }

/// "3.00x, paid after 1.2 passes".
std::string speed_and_break_even(const Measurement& m) {
  if (!m.break_even) return speed(m);
  switch (m.break_even->pays) {
    case Pays::at_once: return speed(m) + ", from the first pass";
    case Pays::later:
      if (m.break_even->passes) {
        return fmt::format("{}, paid after {}", speed(m), passes_text(*m.break_even->passes));
      }
      return speed(m) + ", break-even unknown";
    case Pays::at_first:
    case Pays::never: return speed(m) + ", set-up never paid";
  }
  return speed(m);
}

/// "8% longer", "3.4 times as long".
std::string cost(const Measurement& m) {
  const double ratio = m.ratio->estimate;
  return ratio < 2 ? fmt::format("+{:.0f}%", 100 * (ratio - 1)) : fmt::format("x{:.1f}", ratio);
}

void add(std::string& text, const std::string& sentence) {
  text += (text.empty() ? "" : " ") + sentence;
}

/// Where the change gains, where it makes no difference, and where it loses.
template <typename Details>
std::string gains_and_losses(std::span<const Comparison> comparisons, Change change,
                             Details details) {
  const auto gains = seen_with(comparisons, change, Effect::gains);
  const auto nothing = seen_with(comparisons, change, Effect::nothing);
  const auto losses = seen_with(comparisons, change, Effect::loses);
  std::string text;
  if (!gains.empty()) add(text, fmt::format("Faster on {}.", each(gains, details)));
  if (!nothing.empty()) add(text, fmt::format("No difference on {}.", names(nothing)));
  if (!losses.empty()) add(text, fmt::format("Slower on {}.", each(losses, speed)));
  return text;
}

/// What a change costs: "+8% on launch, x3.4 on search, nothing on transfer".
std::string costs(std::span<const Comparison> comparisons, Change change) {
  std::vector<std::string> parts;
  for (const Effect effect : {Effect::loses, Effect::gains}) {
    for (const Seen& seen : seen_with(comparisons, change, effect)) {
      parts.push_back(fmt::format("{} on {}", cost(*seen.m), seen.workload));
    }
  }
  const auto nothing = seen_with(comparisons, change, Effect::nothing);
  if (parts.empty()) return "nothing anywhere";
  if (!nothing.empty()) parts.push_back("nothing elsewhere");
  return fmt::format("{}", fmt::join(parts, ", "));
}

std::string pool_answer(std::span<const Comparison> comparisons) {
  std::vector<std::string> parts;
  constexpr std::pair<Change, const char*> all[] = {
      {Change::pool, "A pool costs"},
      {Change::trimmed_pool, "with release threshold 0"},
      {Change::cuda_malloc, "cudaMalloc per chunk"}};
  for (const auto& [change, name] : all) {
    if (any(comparisons, change)) {
      parts.push_back(fmt::format("{} {}", name, costs(comparisons, change)));
    }
  }
  return parts.empty() ? "" : fmt::format("{}.", fmt::join(parts, "; "));
}

}  // namespace

bool is(Change change, const Model& model) {
  Model changed{Issuer::host, Chaining::lanes, ScratchSource::lane, Mover::engines_per_chunk};
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

Effect effect_of(const Measurement& m) {
  if (!m.ratio || !decides(*m.ratio)) return Effect::unclear;
  if (worth_a_change(m)) return Effect::gains;
  return m.ratio->low > 1 && m.ratio->estimate >= 1.01 ? Effect::loses : Effect::nothing;
}

std::vector<Answer> answers_to(std::span<const Comparison> comparisons) {
  std::vector<Answer> answers;
  if (any(comparisons, Change::graph)) {
    answers.push_back(
        {"Graph?", gains_and_losses(comparisons, Change::graph, speed_and_break_even)});
  }
  if (const std::string text = pool_answer(comparisons); !text.empty()) {
    answers.push_back({"Pool?", text});
  }
  if (any(comparisons, Change::engines)) {
    answers.push_back({"Engines?", gains_and_losses(comparisons, Change::engines, speed)});
  }
  return answers;
}

}  // namespace trilane
