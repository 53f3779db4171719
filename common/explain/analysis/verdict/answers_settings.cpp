#include "common/base/text/size.hpp"
#include "common/base/text/words.hpp"
#include "common/explain/analysis/verdict/derive.hpp"
#include "common/model/results/find.hpp"

namespace trilane {
namespace {

double wall_us(const Comparison& comparison, const std::string& variant) {
  const Measurement* m = find_variant(comparison, variant);
  return m && m->status == Status::ok && m->wall ? m->wall->mean : 0;
}

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

/// Returns for one workload: "streams with pinned 1000 us: pageable 2.5x as long".
std::string on_one(const std::vector<Swap>& swaps, std::size_t most) {
  std::vector<std::string> parts;
  for (const Swap& swap : swaps)
    parts.push_back(fmt::format("{} {}", swap.to, longer(swap.costs.front().first)));
  const Swap& first = swaps.front();
  return fmt::format("{} with {} {} us: {}.", first.variant, first.from, format_us(first.before_us),
                     shortened(parts, most));
}

/// Returns for each: "streams with pageable instead of pinned: 6.7x as long on balanced".
std::string on_several(const std::vector<Swap>& swaps, std::size_t most) {
  std::vector<std::string> sentences;
  for (const Swap& swap : swaps) {
    sentences.push_back(fmt::format("{} with {} instead of {}: {}.", swap.variant, swap.to,
                                    swap.from, each_cost(swap.costs, most)));
  }
  return fmt::format("{}", fmt::join(sentences, " "));
}

}  // namespace

std::string settings_answer(std::span<const Comparison> comparisons, std::size_t most) {
  const std::vector<Group> groups = groups_of(comparisons, same_work);
  const std::vector<Swap> swaps = swaps_in(groups);
  if (swaps.empty()) return "";
  return groups.size() == 1 ? on_one(swaps, most) : on_several(swaps, most);
}

}  // namespace trilane
