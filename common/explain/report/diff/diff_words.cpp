#include <fmt/format.h>
#include <fmt/ranges.h>

#include "common/base/text/words.hpp"
#include "common/explain/report/diff/diff_parts.hpp"

namespace trilane {
namespace {

/// Returns "graph on launch 0.953": a variant in a sentence, with its speed if it changed.
std::string entry(const VariantChange& change, const std::string& place) {
  const std::string name = change.variant + place;
  if (change.verdict != Verdict::faster && change.verdict != Verdict::slower) return name;
  return fmt::format("{} {}", name, short_speed(1 / change.ratio->estimate));
}

/// Returns the verdicts, the most alarming first; variants are named only if they changed.
std::string tally(const std::vector<const WorkloadChange*>& workloads, bool with_places) {
  std::vector<std::string> parts;
  using enum Verdict;
  for (const Verdict verdict : {lost, slower, faster, same, unsure, no_times}) {
    std::vector<std::string> entries;
    for (const WorkloadChange* workload : workloads) {
      const std::string place = with_places ? " on " + label_of(*workload->now) : "";
      for (const VariantChange& change : workload->changes) {
        if (change.verdict == verdict) entries.push_back(entry(change, place));
      }
    }
    if (entries.empty()) continue;
    std::string part = fmt::format("{} {}", entries.size(),
                                   verdict == no_times ? "without times in old" : name_of(verdict));
    if (verdict == lost || verdict == slower || verdict == faster) {
      part += fmt::format(" ({})", fmt::join(entries, ", "));
    }
    parts.push_back(std::move(part));
  }
  return parts.empty() ? "nothing in common" : fmt::format("{}", fmt::join(parts, "; "));
}

}  // namespace

std::string label_of(const Comparison& comparison) {
  const std::string label = comparison.workload.label();
  return comparison.wait == Wait::spin ? label : label + ", " + name_of(comparison.wait);
}

std::string verdict(const WorkloadChange& workload) {
  return fmt::format("{}: {}.", label_of(*workload.now), tally({&workload}, false));
}

std::string verdict(const RunChange& runs) {
  std::vector<const WorkloadChange*> all;
  for (const WorkloadChange& workload : runs.workloads) all.push_back(&workload);
  return fmt::format("In all: {}.", tally(all, true));
}

}  // namespace trilane
