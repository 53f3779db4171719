#include "common/measure/loop/results/loop_verdict.hpp"

#include <algorithm>

#include "common/explain/statistics/ratio.hpp"

namespace trilane {
namespace {

using Contenders = std::vector<const LoopMeasurement*>;

constexpr double same_cpu = 0.1;     // processors
constexpr double least_loss = 0.01;  // processes differ by more

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

}  // namespace

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
  LoopVerdict verdict{.best = pick(measured), .cheap = {}};
  verdict.decided = std::ranges::all_of(measured, [&](const LoopMeasurement* m) {
    return m == verdict.best.fastest || decides(rate_ratio(*m, *verdict.best.fastest));
  });
  Contenders cheap;
  std::ranges::copy_if(measured, std::back_inserter(cheap), [](const LoopMeasurement* m) {
    const auto used = cpu_of(m->turns);
    return used && *used < cheap_cpu;
  });
  if (!cheap.empty()) verdict.cheap = pick(cheap);
  return verdict;
}

}  // namespace trilane
