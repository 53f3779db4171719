#include "common/measure/loop/results/loop_figures.hpp"

#include <algorithm>

#include "common/explain/statistics/statistics.hpp"

namespace trilane {
namespace {

constexpr double us_per_second = 1e6;

std::vector<double> all_of(const std::vector<LoopTurn>& turns,
                           std::vector<double> LoopTurn::*samples) {
  std::vector<double> all;
  for (const LoopTurn& turn : turns) {
    all.insert(all.end(), (turn.*samples).begin(), (turn.*samples).end());
  }
  return all;
}

template <typename Figure>
double median_of(const std::vector<LoopTurn>& turns, Figure figure) {
  std::vector<double> all;
  for (const LoopTurn& turn : turns) all.push_back(figure(turn));
  return median(all);
}

}  // namespace

std::vector<Sample> item_samples(std::span<const LoopTurn> turns) {
  std::vector<Sample> samples;
  for (std::uint32_t i = 0; i < turns.size(); ++i) {
    samples.push_back({.wall_us = turns[i].wall_us / static_cast<double>(turns[i].items),
                       .round = i,
                       .process = turns[i].process.value_or(0)});
  }
  return samples;
}

double rate_of(const std::vector<LoopTurn>& turns) {
  return us_per_second / pass_us(item_samples(turns));
}

std::optional<double> cpu_of(const std::vector<LoopTurn>& turns) {
  const auto has_cpu = [](const LoopTurn& turn) { return turn.cpu_us.has_value(); };
  if (!std::ranges::all_of(turns, has_cpu)) return std::nullopt;
  return median_of(turns, [](const LoopTurn& turn) { return *turn.cpu_us / turn.wall_us; });
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
  figures.idle =
      median_of(turns, [](const LoopTurn& turn) { return 1 - turn.busy_us / turn.span_us; });
  figures.cpu = cpu_of(turns);
  for (const LoopTurn& turn : turns) {
    figures.clock_error_us = std::max(figures.clock_error_us, turn.clock_error_us);
  }
  return figures;
}

}  // namespace trilane
