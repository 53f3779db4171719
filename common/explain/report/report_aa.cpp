#include "common/explain/report/report.hpp"

#include "common/base/text/words.hpp"
#include "common/explain/statistics/interval.hpp"
#include "common/explain/statistics/statistics.hpp"

namespace trilane {
namespace {

constexpr double nominal = 0.95;
constexpr double rounding = 1e-9;  // intervals of simulated times may have no width

struct AaTally {
  std::string workload;
  std::size_t held = 0, found = 0, undecided = 0;
  std::vector<double> estimates = {}, half_widths = {};
};

void count(AaTally& tally, const Comparison& comparison) {
  const auto& ratio = comparison.measurements.back().ratio;
  if (!ratio || !decides(*ratio)) {
    ++tally.undecided;
    return;
  }
  tally.held += ratio->low <= 1 + rounding && 1 - rounding <= ratio->high;
  tally.found += ratio->low > 1;
  tally.estimates.push_back(ratio->estimate);
  tally.half_widths.push_back(half_width(*ratio));
}

std::vector<AaTally> tallies(const Results& results) {
  std::vector<AaTally> all;
  for (const Comparison& comparison : results.comparisons) {
    const std::string label = comparison.workload.label();
    if (all.empty() || all.back().workload != label) all.push_back({.workload = label});
    count(all.back(), comparison);
  }
  return all;
}

std::vector<std::string> row_of(const AaTally& tally, bool slowed) {
  const std::size_t compared = tally.estimates.size();
  if (compared == 0) return {tally.workload, "-", "-", "-", "-"};
  const std::size_t hits = slowed ? tally.found : tally.held;
  const auto [low, high] = clopper_pearson(hits, compared);
  return {tally.workload, fmt::format("{} of {}", hits, compared),
          fmt::format("{} to {}", percent(low, 1), percent(high, 1)),
          slowed ? fmt::format("{:.4f}", median(tally.estimates))
                 : fmt::format("{:.3f}", binomial_test(hits, compared, nominal)),
          percent(median(tally.half_widths), 2)};
}

Heading heading(const Comparison& first, const std::string& simulated) {
  const Measurement &one = first.measurements.front(), &other = first.measurements.back();
  std::string text = fmt::format("{} against {}", one.variant, other.variant);
  if (first.slow_down > 0) text += ", slowed down by " + percent(first.slow_down);
  text += simulated.empty() ? ", intervals of this process" : ", simulated " + simulated;
  return {"A/A", text};
}

}  // namespace

Page aa_page(const Results& results) {
  if (results.comparisons.empty()) return {};
  const Comparison& first = results.comparisons.front();
  const bool slowed = first.slow_down > 0;
  Table table{{"workload", slowed ? ">found" : ">held the truth", ">95% interval",
               slowed ? ">median ratio" : ">p against 95%", ">half width"},
              {}};
  Page undecided;
  for (const AaTally& tally : tallies(results)) {
    table.rows.push_back(row_of(tally, slowed));
    if (tally.undecided == 0) continue;
    undecided.push_back(
        Bullet{fmt::format("{}: {} more without an interval.", tally.workload, tally.undecided)});
  }
  Page page{heading(first, results.context.simulated), std::move(table)};
  append(page, std::move(undecided));
  return page;
}

}  // namespace trilane
