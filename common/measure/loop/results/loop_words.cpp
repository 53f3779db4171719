#include "common/measure/loop/results/loop_words.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>

#include "common/base/text/size.hpp"
#include "common/base/text/words.hpp"
#include "common/explain/analysis/verdict/range_words.hpp"
#include "common/explain/statistics/ratio.hpp"

namespace trilane {
namespace {

std::string share_words(const Ratio& ratio) {
  const auto two_digits = [](double share) { return fmt::format("{:.2f}", share); };
  return fmt::format("{:.2f} {}", ratio.estimate,
                     range_text(ratio.covers, two_digits(ratio.low), two_digits(ratio.high)));
}

std::string cpu_words(const LoopFigures& figures) {
  return figures.cpu ? fmt::format(", {:.2f} CPUs busy", *figures.cpu) : "";
}

std::string told_words(const LoopFigures& figures) {
  return fmt::format("told after {} us (p99 {})", format_us(figures.told_us),
                     format_us(figures.told_p99_us));
}

std::string use_words(const LoopPick& best) {
  const LoopFigures figures = figures_of(best.contender->turns);
  return fmt::format("Use {}: {:.0f} items/s, {}{}.", contender_name(*best.contender),
                     figures.items_per_second, told_words(figures), cpu_words(figures));
}

/// Returns "event_polled + graph", or "event_polled" if both of its resubmissions are among them.
std::vector<std::string> tied_names(const std::vector<const LoopMeasurement*>& tied) {
  std::vector<std::string> names;
  for (const LoopMeasurement* m : tied) {
    const bool either_way = std::ranges::count_if(tied, [&](const LoopMeasurement* other) {
                              return other->teller == m->teller;
                            }) > 1;
    const std::string name = either_way ? m->teller : contender_name(*m);
    if (std::ranges::find(names, name) == names.end()) names.push_back(name);
  }
  return names;
}

std::string rivals_words(const LoopPick& best) {
  std::string text;
  if (!best.tied.empty()) {
    text += fmt::format(" No difference: {}.", listed(tied_names(best.tied)));
  }
  if (best.runner_up != nullptr) {
    text += fmt::format(" Next is {}, with {} of the fastest's items/s.",
                        contender_name(*best.runner_up),
                        share_words(rate_ratio(*best.runner_up, *best.fastest)));
  }
  return text;
}

/// Returns the cost of a contender that leaves the processors free, in words; nothing if the best
/// one does.
std::string cheap_words(const LoopVerdict& verdict) {
  const auto used = cpu_of(verdict.best.contender->turns);
  if (!used || *used < cheap_cpu) return "";
  if (!verdict.cheap) return fmt::format(" None keeps less than {} CPUs busy.", cheap_cpu);
  const LoopMeasurement& cheap = *verdict.cheap->contender;
  const LoopFigures figures = figures_of(cheap.turns);
  const Ratio ratio = rate_ratio(cheap, *verdict.best.fastest);
  return fmt::format(
      " Below {} CPUs: {} ({:.2f}), {}, {}.", cheap_cpu, contender_name(cheap), *figures.cpu,
      is_loss(ratio) ? share_words(ratio) + " of the items/s" : "no difference in items/s",
      told_words(figures));
}

/// Returns "1,234,567".
std::string grouped(std::uint64_t number) {
  std::string digits = std::to_string(number);
  for (std::size_t i = digits.size(); i > 3; i -= 3) digits.insert(i - 3, ",");
  return digits;
}

}  // namespace

std::string contender_name(const LoopMeasurement& m) {
  return fmt::format("{} + {}", m.teller, name_of(m.resubmission));
}

std::string share_cell(const LoopMeasurement& m, const LoopMeasurement& fastest) {
  if (&m == &fastest) return "1";
  const Ratio ratio = rate_ratio(m, fastest);
  if (!decides(ratio)) return "unclear";
  if (!is_loss(ratio)) return "same";
  return fmt::format("{:.2f} [{:.2f}, {:.2f}]", ratio.estimate, ratio.low, ratio.high);
}

std::string covers_words(const LoopComparison& comparison, const LoopMeasurement& fastest) {
  auto others = measured_contenders(comparison);
  std::erase(others, &fastest);
  if (others.empty()) return "";
  const bool over_processes = std::ranges::all_of(others, [&](const LoopMeasurement* m) {
    return rate_ratio(*m, fastest).covers == Covers::processes;
  });
  if (!over_processes) return "Intervals cover only this process.";
  return fmt::format("Intervals are for another run of {} processes.",
                     *fastest.turns.back().process + 1);
}

std::string verdict_words(const LoopComparison& comparison) {
  const std::optional<LoopVerdict> verdict = verdict_of(comparison);
  if (!verdict) return "No verdict: nothing was measured.";
  if (!verdict->decided) {
    return fmt::format("No verdict: an interval takes {} turns of each.", fewest_rounds);
  }
  return use_words(verdict->best) + rivals_words(verdict->best) + cheap_words(*verdict);
}

std::string checked_words(std::span<const LoopComparison* const> comparisons) {
  std::uint64_t items = 0;
  bool failed = false;
  for (const LoopComparison* comparison : comparisons) {
    for (const LoopMeasurement& m : comparison->measurements) {
      items += m.checked;
      failed = failed || m.status == LoopStatus::failed || m.status == LoopStatus::not_run;
    }
  }
  return grouped(items) + (failed ? " items were right before a failure."
                                  : " items checked, none lost, none wrong.");
}

}  // namespace trilane
