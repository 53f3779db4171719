#include "common/analysis/verdict/doubts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>

#include "common/analysis/statistics/paired_ratio.hpp"
#include "common/analysis/verdict/winners.hpp"
#include "common/results/find.hpp"
#include "common/text/words.hpp"

namespace trilane {
namespace {

std::string other_processes(const Context& context) {
  const auto& others = context.other_processes;
  if (others.empty()) return "";
  return fmt::format(
      "{} used the GPU too ({}): end {} and measure again.", counted(others.size(), "other process"),
      listed(others), others.size() == 1 ? "it" : "them");
}

/// Clocks are read before and after the run; a difference of 2% is more than they flicker.
std::string changed_clock(const Context& context) {
  const double before = std::atof(value_of(context.gpu_before, "sm_clock_mhz").c_str());
  const double after = std::atof(value_of(context.gpu_after, "sm_clock_mhz").c_str());
  if (!(before > 0) || !(after > 0) || !(std::abs(after / before - 1) > 0.02)) return "";
  return fmt::format("The SM clock went from {:.0f} to {:.0f} MHz during the run: --time 20s gives "
                     "it more time to settle.",
                     before, after);
}

std::string throttling(const Context& context) {
  for (const auto* state : {&context.gpu_before, &context.gpu_after}) {
    const std::string reason = value_of(*state, "clocks_limited_by");
    if (reason.empty() || reason == "none" || reason == "idle") continue;
    return fmt::format("The GPU's clocks were limited by {}.", reason);
  }
  return "";
}

std::string regimes(const std::vector<Comparison>& comparisons) {
  std::vector<std::string> names;
  for (const Comparison& c : comparisons) {
    if (c.regime_held == false) names.push_back(c.workload.label());
  }
  if (names.empty()) return "";
  return fmt::format("{} {} not have the bottleneck that {} for: see trilane show --bounds.",
                     listed(names), names.size() == 1 ? "does" : "do",
                     names.size() == 1 ? "it stands" : "they stand");
}

/// The widest interval of a winner or headline, relative.
std::string wide_intervals(const std::vector<Comparison>& comparisons) {
  constexpr double wide = 0.03;
  std::vector<std::string> names;
  for (const Comparison& c : comparisons) {
    const bool any = std::ranges::any_of(c.winners, [](const Winner& winner) {
      return winner.ratio && half_width(*winner.ratio) > wide;
    });
    if (any && c.stopped == "time") names.push_back(c.workload.label());
  }
  if (names.empty()) return "";
  return fmt::format("The time was up before the intervals of {} were narrower than 3%: "
                     "--time 20s.",
                     listed(names));
}

std::string one_process(const std::vector<Comparison>& comparisons) {
  const bool one = std::ranges::any_of(
      comparisons, [](const Comparison& c) { return c.processes == 1 && !c.winners.empty(); });
  return one ? "One process was measured, and processes differ by more than its intervals say: "
               "--processes 5 covers that."
             : "";
}

}  // namespace

std::vector<std::string> doubts_about(const Results& results) {
  if (!results.context.simulated.empty()) return {};
  std::vector<std::string> all{other_processes(results.context), throttling(results.context),
                               changed_clock(results.context), regimes(results.comparisons),
                               wide_intervals(results.comparisons),
                               one_process(results.comparisons)};
  std::erase(all, "");
  return all;
}

}  // namespace trilane
