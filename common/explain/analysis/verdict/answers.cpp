#include "common/explain/analysis/verdict/derive.hpp"

#include <boost/algorithm/string/replace.hpp>

#include "common/base/text/size.hpp"
#include "common/base/text/words.hpp"
#include "common/device/flavour/tracer.hpp"
#include "common/explain/analysis/verdict/verdict.hpp"
#include "common/explain/statistics/statistics.hpp"
#include "common/model/results/timeline.hpp"

namespace trilane {
namespace {

/// Returns the share of the time of a traced pass's memsets during which another lane ran such an
/// operation; 0 if the pass has no memset.
double beside_memsets(const Timeline& timeline, Activity with) {
  for (const TimelineOverlap& overlap : timeline.overlap) {
    if (overlap.of == name_of(Activity::memset) && overlap.with == name_of(with))
      return overlap.share;
  }
  return 0;
}

/// A variant with a change, and multi-stream code without it, on one workload.
struct Seen {
  std::string workload, variant;
  Ratio ratio;
  double saved_us = 0;                  ///< per pass
  std::optional<BreakEven> break_even;  ///< if multi-stream code is the reference
};
using All = std::vector<Seen>;

/// Returns every timed variant with the change, if it can be told from multi-stream code.
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
      const auto ratio = reference ? m.ratio : wall_ratio(m, *base);
      if (effect_of(ratio) == Effect::unclear) continue;
      all.push_back({in_list(label_among(comparison, comparisons)), m.variant, *ratio,
                     base->wall->mean * (1 - ratio->estimate),
                     reference ? m.break_even : std::nullopt});
    }
  }
  return all;
}

All with(Effect effect, All all) {
  std::erase_if(all, [&](const Seen& seen) { return effect_of(seen.ratio) != effect; });
  return all;
}

std::string speed(const Seen& seen) { return said_speed(1 / seen.ratio.estimate) + "x"; }

/// Returns "3.0x, break-even after 1.2 passes".
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

/// Returns "launch (3.0x), search (1.04x) and 2 more", the largest effects first.
std::string each(All all, std::string (*details)(const Seen&), std::size_t most) {
  const auto size = [](const Seen& seen) { return std::abs(std::log(seen.ratio.estimate)); };
  std::ranges::stable_sort(all, std::greater(), size);
  const std::vector<std::string> parts = transformed(
      all, [&](const Seen& seen) { return fmt::format("{} ({})", seen.workload, details(seen)); });
  return shortened(parts, most);
}

/// Returns the names, of predictions with how large a difference could be: "search (<5%)".
std::string names(const All& all) {
  return shortened(transformed(all, [](const Seen& seen) {
    const std::string less = small_difference(seen.ratio);
    return less.empty() ? seen.workload : fmt::format("{} ({})", seen.workload, less);
  }));
}

std::string sentence(const std::string& text) { return capitalised(text) + "."; }

std::string on_one(const Seen& seen) {
  switch (effect_of(seen.ratio)) {
    case Effect::gains:
      return fmt::format("Yes: {}; a pass takes {} us less.", speed_and_break_even(seen),
                         format_us(seen.saved_us));
    case Effect::nothing: return sentence(range_words(seen.ratio.covers).no_difference);
    case Effect::loses: return fmt::format("No: {}.", speed(seen));
    case Effect::unclear: break;
  }
  return "";
}

std::string gains_and_losses(std::span<const Comparison> comparisons, Change change,
                             std::size_t most) {
  const All all = seen_with(comparisons, change);
  if (all.empty()) return "";
  if (comparisons.size() == 1) return on_one(all.front());
  const All gains = with(Effect::gains, all), nothing = with(Effect::nothing, all),
            losses = with(Effect::loses, all);
  const Covers covers = all.front().ratio.covers;
  if (nothing.size() == all.size()) {
    return sentence(fmt::format("{} anywhere", range_words(covers).no_difference));
  }
  std::vector<std::string> sentences;
  if (!gains.empty()) {
    sentences.push_back(fmt::format("Faster on {}.", each(gains, speed_and_break_even, most)));
  }
  if (!losses.empty()) sentences.push_back(fmt::format("Slower on {}.", each(losses, speed, most)));
  if (!nothing.empty()) {
    sentences.push_back(
        sentence(fmt::format("{} on {}", range_words(covers).no_difference, names(nothing))));
  }
  return fmt::format("{}", fmt::join(sentences, " "));
}

std::string cost(const Seen& seen) { return longer(seen.ratio.estimate); }

/// Returns what a change costs: "+8% on launch, 3.4 times as long on search, nothing elsewhere".
std::string costs(const All& all, bool one, std::size_t most) {
  All changed = all;
  std::erase_if(changed, [](const Seen& seen) { return effect_of(seen.ratio) == Effect::nothing; });
  const std::string nothing = range_words(all.front().ratio.covers).no_difference;
  if (changed.empty()) return one ? nothing : nothing + " anywhere";
  if (one) return cost(changed.front());
  std::vector<std::pair<double, std::string>> each;
  for (const Seen& seen : changed) each.emplace_back(seen.ratio.estimate, seen.workload);
  const std::string told = each_cost(std::move(each), most);
  return changed.size() == all.size() ? told : fmt::format("{}; {} elsewhere", told, nothing);
}

using Policy = std::pair<std::string, All>;

/// Returns the costs by variant: with several pool policies there are several with the same change.
std::vector<Policy> by_variant(const All& all) {
  std::vector<Policy> groups;
  for (const Seen& seen : all) {
    const auto found = std::ranges::find(groups, seen.variant, &Policy::first);
    (found == groups.end() ? groups.emplace_back(seen.variant, All{}) : *found)
        .second.push_back(seen);
  }
  return groups;
}

/// Returns "pool:threshold=0 +30% (launch); no difference with pool:events=off", the largest first.
std::string of_policies(const std::vector<Policy>& policies, bool one, std::size_t most) {
  std::vector<std::pair<double, std::string>> costly;
  std::vector<std::string> same;
  const char* nothing = "";
  for (const auto& [variant, all] : policies) {
    const auto by_cost = [](const Seen& seen) { return seen.ratio.estimate; };
    const Seen& worst = *std::ranges::max_element(all, {}, by_cost);
    if (effect_of(worst.ratio) == Effect::nothing) {
      nothing = range_words(worst.ratio.covers).no_difference;
      same.push_back(variant);
    } else {
      costly.emplace_back(worst.ratio.estimate,
                          one ? fmt::format("{} {}", variant, cost(worst))
                              : fmt::format("{} {} ({})", variant, cost(worst), worst.workload));
    }
  }
  std::ranges::stable_sort(costly, std::greater(), &std::pair<double, std::string>::first);
  const auto parts = transformed(costly, &std::pair<double, std::string>::second);
  if (same.empty()) return shortened(parts, most);
  const std::string rest = fmt::format("{} with {}", nothing, shortened(same, most));
  return parts.empty() ? rest : fmt::format("{}; {}", shortened(parts, most), rest);
}

/// Says what memory per chunk costs: from a pool, with a release threshold of 0, and by cudaMalloc;
/// with several pool policies each by its name. Empty without such a variant.
std::string pool_answer(std::span<const Comparison> comparisons, std::size_t most) {
  constexpr std::pair<Change, const char*> changes[] = {
      {Change::pool, "Pooled memory per chunk"},
      {Change::trimmed_pool, "Release threshold 0"},
      {Change::cuda_malloc, "cudaMalloc per chunk"}};
  const bool one = comparisons.size() == 1;
  std::vector<Policy> policies = by_variant(seen_with(comparisons, Change::pool));
  std::vector<Policy> trimmed = by_variant(seen_with(comparisons, Change::trimmed_pool));
  const bool several = policies.size() > 1 || trimmed.size() > 1;
  std::vector<std::string> sentences;
  if (several) {
    std::ranges::move(trimmed, std::back_inserter(policies));
    sentences.push_back(fmt::format("Pooled memory per chunk{}: {}.", one ? "" : ", at most",
                                    of_policies(policies, one, most)));
  }
  for (const auto& [change, name] : changes) {
    if (several && change != Change::cuda_malloc) continue;
    const All all = seen_with(comparisons, change);
    if (!all.empty()) sentences.push_back(fmt::format("{}: {}.", name, costs(all, one, most)));
  }
  return fmt::format("{}", fmt::join(sentences, " "));
}

/// Returns the traced pass of multi-stream code with several lanes, if there is one.
const Timeline* traced_lanes(const Comparison& comparison) {
  if (comparison.workload.used_lanes() < 2) return nullptr;
  for (const Measurement& m : comparison.measurements) {
    if (m.plan.model == multi_stream && m.timeline && !m.timeline->event_us.empty())
      return &*m.timeline;
  }
  return nullptr;
}

std::string memset_answer(std::span<const Comparison> comparisons, std::size_t most) {
  constexpr char head[] = "While a lane of streams runs a memset, other lanes";
  std::vector<std::pair<double, std::string>> shares;
  for (const Comparison& comparison : comparisons) {
    const Timeline* const timeline = traced_lanes(comparison);
    if (!timeline) continue;
    const double kernels = beside_memsets(*timeline, Activity::kernel),
                 copies_in = beside_memsets(*timeline, Activity::copy_in),
                 copies_out = beside_memsets(*timeline, Activity::copy_out);
    if (comparisons.size() == 1) {
      return fmt::format("{} run kernels {} of the time, copies in {} and copies out {}.", head,
                         percent(kernels, 0), percent(copies_in, 0), percent(copies_out, 0));
    }
    // Other lanes went on for at least the largest share of the time.
    shares.emplace_back(std::max({kernels, copies_in, copies_out}),
                        in_list(label_among(comparison, comparisons)));
  }
  if (shares.empty()) return "";
  std::ranges::stable_sort(shares, {}, &std::pair<double, std::string>::first);
  std::vector<std::string> parts;
  for (const auto& [share, name] : shares)
    parts.push_back(
        fmt::format("{}{} on {}", percent(share, 0), parts.empty() ? " of the time" : "", name));
  return fmt::format("{} work at least {}.", head, shortened(parts, most));
}

/// One graph and a graph for each GPU, for example, are alike on one GPU.
void leave_first_of_each_model(Comparison& comparison) {
  std::vector<Model> seen;
  std::erase_if(comparison.measurements, [&seen](const Measurement& m) {
    if (includes(seen, m.plan.model)) return true;
    seen.push_back(m.plan.model);
    return false;
  });
}

}  // namespace

std::vector<Answer> answers_to(std::span<const Comparison> comparisons, std::size_t most) {
  std::vector<Comparison> alone;  // of several GPUs
  for (const Comparison& comparison : comparisons) {
    const bool beside = comparison.placement && comparison.placement->beside > 0;
    if (!beside && !comparison.workload.gpus) alone.push_back(comparison);
  }
  if (!alone.empty() && alone.size() < comparisons.size()) {
    const std::string split = split_answer(comparisons);
    if (!split.empty()) std::ranges::for_each(alone, leave_first_of_each_model);
    std::vector<Answer> answers = answers_to(alone, most);
    answers.push_back({"GPUs?", split.empty() ? gpus_answer(comparisons, most) : split});
    return answers;
  }
  if (comparisons.size() == 1 && comparisons.front().workload.origin() == Origin::recording) {
    return candidate_answers(comparisons.front());
  }
  std::vector<Answer> answers{{"Graph?", gains_and_losses(comparisons, Change::graph, most)},
                              {"Pool?", pool_answer(comparisons, most)},
                              {"Engines?", gains_and_losses(comparisons, Change::engines, most)},
                              {"Memset?", memset_answer(comparisons, most)},
                              {"Settings?", settings_answer(comparisons, most)}};
  std::erase_if(answers, [](const Answer& answer) { return answer.text.empty(); });
  return answers;
}

const Measurement* find_change(const Comparison& comparison, Change change) {
  for (const Measurement& m : comparison.measurements) {
    if (was_timed(m) && is(change, m.plan.model)) return &m;
  }
  return nullptr;
}

std::string in_list(std::string label) {
  boost::replace_all(label, ", ", "/");
  return label;
}

std::string each_cost(std::vector<std::pair<double, std::string>> costs, std::size_t most) {
  constexpr std::string_view unit = " as long";  // once is enough
  std::ranges::stable_sort(costs, std::greater(), &std::pair<double, std::string>::first);
  std::vector<std::string> parts;
  bool told = false;
  for (const auto& [ratio, name] : costs) {
    std::string text = longer(ratio);
    const bool has_unit = text.ends_with(unit);
    if (has_unit && told) text.resize(text.size() - unit.size());
    told |= has_unit;
    parts.push_back(fmt::format("{} on {}", text, name));
  }
  return shortened(parts, most);
}

Effect effect_of(const std::optional<Ratio>& ratio) {
  if (!ratio || !decides(*ratio)) return Effect::unclear;
  if (is_gain(*ratio)) return Effect::gains;
  return ratio->low > 1 && ratio->estimate >= 1.01 ? Effect::loses : Effect::nothing;
}

}  // namespace trilane
