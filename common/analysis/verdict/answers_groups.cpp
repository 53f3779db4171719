#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "common/analysis/verdict/answers_parts.hpp"
#include "common/results/find.hpp"
#include "common/results/groups.hpp"
#include "common/text/size.hpp"
#include "common/text/words.hpp"

namespace trilane {
namespace {

constexpr std::size_t most_told = 3;  // groups; all of them would fill the screen

double wall_us(const Comparison& comparison, const std::string& variant) {
  const Measurement* m = find_variant(comparison, variant);
  return m && m->status == Status::ok && m->wall ? m->wall->median : 0;
}

/// The variant with the shortest median of the whole group; empty if nothing was timed.
std::string fastest_of(const Group& group) {
  const Measurement* fastest = nullptr;
  for (const Comparison* c : group) {
    for (const Measurement& m : c->measurements) {
      if (m.status != Status::ok || !m.wall) continue;
      if (!fastest || m.wall->median < fastest->wall->median) fastest = &m;
    }
  }
  return fastest ? fastest->variant : "";
}

/// "pageable 2.3 times as long, write-combined the same".
std::string settings_of(Group group) {
  const Comparison& first = *group.front();
  const std::string variant = first.reference.empty() ? fastest_of(group) : first.reference;
  const double before = wall_us(first, variant);
  std::vector<std::string> parts;
  for (const Comparison* c : group) {
    const double us = wall_us(*c, variant);
    if (c == &first || !(us > 0) || !(before > 0)) continue;
    parts.push_back(fmt::format("{} {}", setting_of(*c, group), longer(us / before)));
  }
  if (parts.empty()) return "";
  return fmt::format("{}, {} with {} {} us: {}.", first.workload.name, variant,
                     setting_of(first, group), format_us(before), listed(parts));
}

}  // namespace

std::string settings_answer(std::span<const Comparison> comparisons) {
  std::string text;
  std::size_t told = 0;
  for (const Group& group : groups_of(comparisons, same_work)) {
    if (told++ == most_told) return text + " ...";
    const std::string of_one = settings_of(group);
    if (!of_one.empty()) text += (text.empty() ? "" : " ") + of_one;
  }
  return text;
}

}  // namespace trilane
