#include <fmt/format.h>
#include <fmt/ranges.h>

#include <vector>

#include "common/base/text/size.hpp"
#include "common/base/text/words.hpp"
#include "common/explain/report/diff/diff_parts.hpp"
#include "common/explain/report/diff/diff_runs.hpp"

namespace trilane {
namespace {

/// A share of the threshold: far above rounding errors, far below a difference that matters.
constexpr double written_rounding = 1e-6;

std::string what_happened(const VariantChange& change) {
  if (change.verdict == Verdict::lost) return "LOST its times";
  return fmt::format("takes {}% longer than before (at least {}%)",
                     format_us(100 * (change.ratio->estimate - 1)),
                     format_us(100 * (change.ratio->low - 1)));
}

std::vector<std::string> failures(const RunChange& runs, double beyond) {
  std::vector<std::string> found;
  for (const WorkloadChange& workload : runs.workloads) {
    for (const VariantChange& change : workload.changes) {
      if (!worse(change, beyond)) continue;
      found.push_back(fmt::format("{} on {} {}", change.variant, label_of(*workload.now),
                                  what_happened(change)));
    }
  }
  return found;
}

}  // namespace

bool worse(const VariantChange& change, double beyond) {
  if (change.verdict == Verdict::lost) return true;
  return change.verdict == Verdict::slower &&
         change.ratio->low - 1 > beyond * (1 + written_rounding);
}

bool worse(const RunChange& runs, double beyond) { return !failures(runs, beyond).empty(); }

std::string threshold_verdict(const RunChange& runs) {
  const double beyond = *runs.fail_beyond;
  const std::vector<std::string> found = failures(runs, beyond);
  const std::string limit = fmt::format(
      "SLOWER by more than {} of the old time, with the whole interval", percent(beyond));
  const std::string gate = "--fail-on-slower=" + percent(beyond);
  if (found.empty())
    return fmt::format("{} passes: no variant LOST its times, and none is {}.", gate, limit);
  return fmt::format("{} fails: {}. The threshold: {}.", gate, fmt::join(found, "; "), limit);
}

}  // namespace trilane
