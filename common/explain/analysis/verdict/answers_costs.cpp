#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <functional>
#include <iterator>
#include <string_view>
#include <utility>
#include <vector>

#include "common/base/text/size.hpp"
#include "common/base/text/words.hpp"
#include "common/explain/analysis/verdict/answers_costs.hpp"
#include "common/explain/analysis/verdict/range_words.hpp"
#include "common/model/results/find.hpp"

namespace trilane {
namespace {

std::string cost(const Seen& seen) { return longer(seen.ratio.estimate); }

/// Returns "5.2x as long on balanced, 2.4x on transfer and 4 more": costs with the names of their
/// workloads, in that order, and `most` of them.
std::string each_cost(const std::vector<std::pair<double, std::string>>& costs, std::size_t most) {
  constexpr std::string_view unit = " as long";  // once is enough
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

/// Returns what a change costs: "+8% on launch, 3.4 times as long on search, nothing elsewhere".
std::string costs(const All& all, bool one, std::size_t most) {
  All changed = all;
  std::erase_if(changed, [](const Seen& seen) { return effect_of(seen.ratio) == Effect::nothing; });
  const std::string nothing = range_words(all.front().ratio.covers).no_difference;
  if (changed.empty()) return one ? nothing : nothing + " anywhere";
  if (one) return cost(changed.front());
  std::ranges::stable_sort(changed, std::greater(),
                           [](const Seen& seen) { return seen.ratio.estimate; });
  std::vector<std::pair<double, std::string>> each;
  for (const Seen& seen : changed) each.emplace_back(seen.ratio.estimate, seen.workload);
  const std::string told = each_cost(each, most);
  return changed.size() == all.size() ? told : fmt::format("{}; {} elsewhere", told, nothing);
}

/// A variant on all workloads.
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

/// Returns "pool:threshold=0 +30% (launch); no difference with pool:events=off": the largest cost
/// of each policy, the most expensive first.
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
  std::vector<std::string> parts;
  for (auto& [ratio, text] : costly) parts.push_back(std::move(text));
  if (same.empty()) return shortened(parts, most);
  const std::string rest = fmt::format("{} with {}", nothing, shortened(same, most));
  return parts.empty() ? rest : fmt::format("{}; {}", shortened(parts, most), rest);
}

double wall_us(const Comparison& comparison, const std::string& variant) {
  const Measurement* m = find_variant(comparison, variant);
  return m && m->status == Status::ok && m->wall ? m->wall->mean : 0;
}

/// Returns the variant with the shortest mean of the whole group; empty if nothing was timed.
std::string fastest_of(const Group& group) {
  const Measurement* fastest = nullptr;
  for (const Comparison* c : group) {
    for (const Measurement& m : c->measurements) {
      if (m.status != Status::ok || !m.wall) continue;
      if (!fastest || m.wall->mean < fastest->wall->mean) fastest = &m;
    }
  }
  return fastest ? fastest->variant : "";
}

/// A variant with one setting and with another, on the workloads that ran with both.
struct Swap {
  std::string variant, from, to;
  std::vector<std::pair<double, std::string>> costs;  ///< ratios of times, and workloads
  double before_us = 0;                               ///< on the first workload
};

Swap& find_or_add(std::vector<Swap>& swaps, const Swap& like) {
  const auto found = std::ranges::find_if(swaps, [&](const Swap& other) {
    return other.variant == like.variant && other.from == like.from && other.to == like.to;
  });
  return found == swaps.end() ? swaps.emplace_back(like) : *found;
}

std::vector<Swap> swaps_in(const std::vector<Group>& groups) {
  std::vector<Swap> swaps;
  for (const Group& group : groups) {
    const Comparison& first = *group.front();
    const std::string variant = first.reference.empty() ? fastest_of(group) : first.reference;
    const double before = wall_us(first, variant);
    for (const Comparison* c : group) {
      const double us = wall_us(*c, variant);
      if (c == &first || !(us > 0) || !(before > 0)) continue;
      find_or_add(
          swaps,
          {variant, in_list(setting_of(first, group)), in_list(setting_of(*c, group)), {}, before})
          .costs.emplace_back(us / before, first.workload.name);
    }
  }
  return swaps;
}

/// Returns, for one workload: "streams with pinned 1000 us: pageable 2.5x as long and registered
/// the same".
std::string on_one(const std::vector<Swap>& swaps, std::size_t most) {
  std::vector<std::string> parts;
  for (const Swap& swap : swaps)
    parts.push_back(fmt::format("{} {}", swap.to, longer(swap.costs.front().first)));
  const Swap& first = swaps.front();
  return fmt::format("{} with {} {} us: {}.", first.variant, first.from, format_us(first.before_us),
                     shortened(parts, most));
}

/// Returns for each: "streams with pageable instead of pinned: 6.7x as long on balanced and 5
/// more."
std::string on_several(std::vector<Swap> swaps, std::size_t most) {
  std::vector<std::string> sentences;
  for (Swap& swap : swaps) {
    std::ranges::stable_sort(swap.costs, std::greater(), &std::pair<double, std::string>::first);
    sentences.push_back(fmt::format("{} with {} instead of {}: {}.", swap.variant, swap.to,
                                    swap.from, each_cost(swap.costs, most)));
  }
  return fmt::format("{}", fmt::join(sentences, " "));
}

}  // namespace

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

std::string settings_answer(std::span<const Comparison> comparisons, std::size_t most) {
  const std::vector<Group> groups = groups_of(comparisons, same_work);
  const std::vector<Swap> swaps = swaps_in(groups);
  if (swaps.empty()) return "";
  return groups.size() == 1 ? on_one(swaps, most) : on_several(swaps, most);
}

}  // namespace trilane
