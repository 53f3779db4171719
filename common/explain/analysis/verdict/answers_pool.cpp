#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <iterator>
#include <string_view>
#include <utility>

#include "common/base/text/words.hpp"
#include "common/explain/analysis/verdict/answers_parts.hpp"
#include "common/explain/analysis/verdict/range_words.hpp"

namespace trilane {
namespace {

std::string cost(const Seen& seen) { return longer(seen.ratio.estimate); }

/// Returns what a change costs: "+8% on launch, 3.4 times as long on search, nothing elsewhere".
std::string costs(const All& all, bool one, std::size_t most) {
  All changed = all;
  std::erase_if(changed, [](const Seen& seen) { return effect_of(seen.ratio) == Effect::nothing; });
  const std::string nothing = no_difference(all.front().ratio.covers);
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
      nothing = no_difference(worst.ratio.covers);
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

}  // namespace

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

}  // namespace trilane
