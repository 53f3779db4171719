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

/// The comparison of the group in which the variant is fastest; nullptr if it was not timed.
const Comparison* best_for(const Group& group, const std::string& variant) {
  const Comparison* best = nullptr;
  for (const Comparison* c : group) {
    const double us = wall_us(*c, variant);
    if (us > 0 && (!best || us < wall_us(*best, variant))) best = c;
  }
  return best;
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

/// "streams with 16 (5500 us)".
std::string best_chunks(const Group& by_chunks, const std::string& variant) {
  const Comparison* best = best_for(by_chunks, variant);
  if (!best) return "";
  const char* end = best == by_chunks.front()  ? ", the fewest tried"
                    : best == by_chunks.back() ? ", the most tried"
                                               : "";
  return fmt::format("{} with {}{} ({} us)", variant, best->workload.chunks(), end,
                     format_us(wall_us(*best, variant)));
}

std::string chunks_of(Group group) {
  std::ranges::sort(group, {}, [](const Comparison* c) { return c->workload.chunks(); });
  const std::string reference = group.front()->reference, fastest = fastest_of(group);
  std::vector<std::string> parts{best_chunks(group, reference)};
  if (fastest != reference) parts.push_back(best_chunks(group, fastest));
  std::erase(parts, "");
  if (parts.empty()) return "";
  return fmt::format("{}: fastest {}.", group.front()->workload.name, listed(parts));
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

std::string each_of(const std::vector<Group>& groups, std::string (*said)(Group)) {
  std::string text;
  for (const Group& group : groups) {
    if (&group - groups.data() == most_told) return text + " ...";
    const std::string of_one = said(group);
    if (!of_one.empty()) text += (text.empty() ? "" : " ") + of_one;
  }
  return text;
}

}  // namespace

std::string chunks_answer(std::span<const Comparison> comparisons) {
  return each_of(groups_of(comparisons, same_pass), chunks_of);
}

std::string settings_answer(std::span<const Comparison> comparisons) {
  return each_of(groups_of(comparisons, same_work), settings_of);
}

}  // namespace trilane
