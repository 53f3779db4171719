#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <iterator>
#include <utility>

#include "common/analysis/verdict/answers_parts.hpp"
#include "common/analysis/verdict/range_words.hpp"
#include "common/text/words.hpp"

namespace trilane {
namespace {

std::string cost(const Seen& seen) { return longer(seen.ratio.estimate); }

/// What a change costs: "+8% on launch, 3.4 times as long on search, nothing elsewhere".
std::string costs(const All& all, bool one) {
  All changed = all;
  std::erase_if(changed, [](const Seen& seen) { return effect_of(seen.ratio) == Effect::nothing; });
  const std::string nothing = no_difference(all.front().ratio.covers);
  if (changed.empty()) return one ? nothing : nothing + " anywhere";
  if (one) return cost(changed.front());
  std::ranges::stable_sort(changed, std::greater(),
                           [](const Seen& seen) { return seen.ratio.estimate; });
  std::vector<std::string> parts;
  for (const Seen& seen : changed) {
    parts.push_back(fmt::format("{} on {}", cost(seen), seen.workload));
  }
  const std::string told = shortened(parts, most_detailed);
  return changed.size() == all.size() ? told : fmt::format("{}; {} elsewhere", told, nothing);
}

/// A variant on all workloads.
using Policy = std::pair<std::string, All>;

/// By variant: with several pool policies there are several with the same change.
std::vector<Policy> by_variant(const All& all) {
  std::vector<Policy> groups;
  for (const Seen& seen : all) {
    const auto found = std::ranges::find(groups, seen.variant, &Policy::first);
    (found == groups.end() ? groups.emplace_back(seen.variant, All{}) : *found)
        .second.push_back(seen);
  }
  return groups;
}

/// "pool:threshold=0 +30% (launch), pool:events=off the same": the largest cost of each policy.
std::string of_policies(const std::vector<Policy>& policies, bool one) {
  std::vector<std::string> parts;
  for (const auto& [variant, all] : policies) {
    const auto by_cost = [](const Seen& seen) { return seen.ratio.estimate; };
    const Seen& worst = *std::ranges::max_element(all, {}, by_cost);
    const bool nothing = effect_of(worst.ratio) == Effect::nothing;
    const std::string told = nothing ? no_difference(worst.ratio.covers) : cost(worst);
    parts.push_back(one || nothing ? fmt::format("{} {}", variant, told)
                                   : fmt::format("{} {} ({})", variant, told, worst.workload));
  }
  return shortened(parts);
}

}  // namespace

std::string pool_answer(std::span<const Comparison> comparisons) {
  constexpr std::pair<Change, const char*> changes[] = {
      {Change::pool, "Memory per chunk from a pool"},
      {Change::trimmed_pool, "With a release threshold of 0"},
      {Change::cuda_malloc, "By cudaMalloc"}};
  const bool one = comparisons.size() == 1;
  std::vector<Policy> policies = by_variant(seen_with(comparisons, Change::pool));
  const bool several = policies.size() > 1;
  std::vector<std::string> sentences;
  if (several) {
    std::ranges::move(by_variant(seen_with(comparisons, Change::trimmed_pool)),
                      std::back_inserter(policies));
    sentences.push_back(
        fmt::format("Memory per chunk{}: {}.", one ? "" : ", at most", of_policies(policies, one)));
  }
  for (const auto& [change, name] : changes) {
    if (several && change != Change::cuda_malloc) continue;
    const All all = seen_with(comparisons, change);
    if (!all.empty()) sentences.push_back(fmt::format("{}: {}.", name, costs(all, one)));
  }
  return fmt::format("{}", fmt::join(sentences, " "));
}

}  // namespace trilane
