#include "common/measure/loop/results/loop_verdict.hpp"

#include "common/base/text/size.hpp"
#include "common/base/text/words.hpp"
#include "common/explain/analysis/verdict/verdict.hpp"
#include "common/explain/statistics/statistics.hpp"
#include "common/measure/rounds/bench.hpp"

namespace trilane {
namespace {

std::vector<double> all_of(const std::vector<LoopTurn>& turns,
                           std::vector<double> LoopTurn::*samples) {
  std::vector<double> all;
  for (const LoopTurn& turn : turns) {
    all.insert(all.end(), (turn.*samples).begin(), (turn.*samples).end());
  }
  return all;
}

using Contenders = std::vector<const LoopMeasurement*>;

constexpr double same_cpu = 0.1;     // processors
constexpr double least_loss = 0.01;  // processes differ by more

std::vector<Sample> item_samples(std::span<const LoopTurn> turns) {
  std::vector<Sample> samples;
  for (std::uint32_t i = 0; i < turns.size(); ++i) {
    samples.push_back({.wall_us = turns[i].wall_us / static_cast<double>(turns[i].items),
                       .round = i,
                       .process = turns[i].process.value_or(0)});
  }
  return samples;
}

/// Returns items per second, by the mean time of an item over processes: pass_us().
double rate_of(const std::vector<LoopTurn>& turns) { return 1e6 / pass_us(item_samples(turns)); }

double rate(const LoopMeasurement* m) { return rate_of(m->turns); }

double cpu(const LoopMeasurement* m) { return cpu_of(m->turns).value_or(0); }

LoopPick pick(const Contenders& candidates) {
  LoopPick pick;
  pick.fastest = *std::ranges::max_element(candidates, {}, rate);
  Contenders level, behind;
  for (const LoopMeasurement* m : candidates) {
    const bool loses = m != pick.fastest && is_loss(rate_ratio(*m, *pick.fastest));
    (loses ? behind : level).push_back(m);
  }
  const double least_cpu = cpu(std::ranges::min(level, {}, cpu));
  pick.contender = *std::ranges::find_if(
      level, [&](const LoopMeasurement* m) { return cpu(m) <= least_cpu + same_cpu; });
  std::erase(level, pick.contender);
  pick.tied = std::move(level);
  if (!behind.empty()) pick.runner_up = *std::ranges::max_element(behind, {}, rate);
  return pick;
}

std::string share_words(const Ratio& ratio) {
  const auto two_digits = [](double share) { return fmt::format("{:.2f}", share); };
  return fmt::format("{:.2f} {}", ratio.estimate,
                     range_text(ratio.covers, two_digits(ratio.low), two_digits(ratio.high)));
}

std::string cpu_words(const LoopFigures& figures) {
  return figures.cpu ? fmt::format(", {:.2f} CPUs busy", *figures.cpu) : "";
}

std::string told_words(const LoopFigures& figures) {
  return fmt::format("notified after {} us (p99 {})", format_us(figures.told_us),
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
    if (!includes(names, name)) names.push_back(name);
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

/// Returns in words what it costs to leave the processors free; nothing if the best one does.
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

std::string grouped(std::uint64_t number) {
  std::string digits = std::to_string(number);
  for (std::size_t i = digits.size(); i > 3; i -= 3) digits.insert(i - 3, ",");
  return digits;
}

}  // namespace

std::optional<double> cpu_of(const std::vector<LoopTurn>& turns) {
  const auto has_cpu = [](const LoopTurn& turn) { return turn.cpu_us.has_value(); };
  if (!std::ranges::all_of(turns, has_cpu)) return std::nullopt;
  return median(
      transformed(turns, [](const LoopTurn& turn) { return *turn.cpu_us / turn.wall_us; }));
}

LoopFigures figures_of(const std::vector<LoopTurn>& turns) {
  LoopFigures figures;
  figures.items_per_second = rate_of(turns);
  const std::vector<double> told = all_of(turns, &LoopTurn::told_us);
  figures.told_us = median(told);
  figures.told_p99_us = quantile(told, 0.99);
  if (const auto restart = all_of(turns, &LoopTurn::restart_us); !restart.empty()) {
    figures.restart_us = median(restart);
    figures.restart_p99_us = quantile(restart, 0.99);
  }
  figures.idle = median(
      transformed(turns, [](const LoopTurn& turn) { return 1 - turn.busy_us / turn.span_us; }));
  figures.cpu = cpu_of(turns);
  for (const LoopTurn& turn : turns) {
    figures.clock_error_us = std::max(figures.clock_error_us, turn.clock_error_us);
  }
  return figures;
}

Ratio rate_ratio(const LoopMeasurement& m, const LoopMeasurement& base) {
  // In an interrupted run perhaps only one contender's turns were summed.
  const auto [end, base_end] =
      std::ranges::mismatch(m.turns, base.turns, {}, &LoopTurn::turns, &LoopTurn::turns);
  const auto ratio = variant_ratio(item_samples({base.turns.begin(), base_end}),
                                   item_samples({m.turns.begin(), end}));
  return ratio.value_or(undecided(rate_of(m.turns) / rate_of(base.turns)));
}

bool is_loss(const Ratio& rate) { return rate.high < 1 && rate.estimate <= 1 / (1 + least_loss); }

Contenders measured_contenders(const LoopComparison& comparison) {
  Contenders measured;
  for (const LoopMeasurement& m : comparison.measurements) {
    if (m.status == LoopStatus::ok && !m.turns.empty()) measured.push_back(&m);
  }
  return measured;
}

std::optional<LoopVerdict> verdict_of(const LoopComparison& comparison) {
  const Contenders measured = measured_contenders(comparison);
  if (measured.empty()) return std::nullopt;
  LoopVerdict verdict{.best = pick(measured)};
  verdict.decided = std::ranges::all_of(measured, [&](const LoopMeasurement* m) {
    return m == verdict.best.fastest || decides(rate_ratio(*m, *verdict.best.fastest));
  });
  Contenders cheap = measured;
  std::erase_if(cheap, [](const LoopMeasurement* m) {
    const auto used = cpu_of(m->turns);
    return !used || *used >= cheap_cpu;
  });
  if (!cheap.empty()) verdict.cheap = pick(cheap);
  return verdict;
}

std::string contender_name(const LoopMeasurement& m) {
  return fmt::format("{} + {}", m.teller, name_of(m.resubmission));
}

std::string verdict_words(const LoopComparison& comparison) {
  const std::optional<LoopVerdict> verdict = verdict_of(comparison);
  if (!verdict) return "No verdict: nothing was measured.";
  if (!verdict->decided) {
    return fmt::format("No verdict: an interval needs {} turns of each.", fewest_rounds);
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
