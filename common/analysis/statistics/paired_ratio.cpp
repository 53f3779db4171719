#include "common/analysis/statistics/paired_ratio.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>

#include "common/analysis/statistics/interval.hpp"
#include "common/analysis/statistics/statistics.hpp"
#include "common/analysis/statistics/turns.hpp"

namespace trilane {
namespace {

std::vector<TurnValue> turn_ratios(std::span<const Sample> variant,
                                   std::span<const Sample> reference) {
  const auto over = turn_medians(variant), under = turn_medians(reference);
  std::vector<TurnValue> ratios;
  auto below = under.begin();
  for (const auto& [turn, above_us] : over) {
    while (below != under.end() && below->turn < turn) ++below;
    if (below == under.end()) break;
    if (below->turn == turn) ratios.push_back({turn, above_us / below->value});
  }
  return ratios;
}

std::vector<double> logarithms(std::span<const double> ratios) {
  std::vector<double> logs;
  for (const double ratio : ratios) logs.push_back(std::log(ratio));
  return logs;
}

Ratio ratio_of_logs(std::span<const double> logs) {
  return logs.size() >= fewest_rounds ? interval_of(mean_of_series(logs))
                                      : undecided(std::exp(mean(logs)));
}

}  // namespace

Ratio undecided(double estimate) { return {estimate, 0, 2 * std::max(1.0, estimate)}; }

std::vector<double> round_ratios(std::span<const Sample> variant,
                                 std::span<const Sample> reference) {
  std::vector<double> ratios;
  for (const TurnValue& of : turn_ratios(variant, reference)) ratios.push_back(of.value);
  return ratios;
}

Ratio ratio_of(std::span<const double> round_ratios) {
  if (round_ratios.empty()) throw std::invalid_argument("a ratio of variants that share no round");
  return ratio_of_logs(logarithms(round_ratios));
}

double expected_half_width(std::span<const double> round_ratios) {
  if (round_ratios.size() < fewest_rounds) return std::numeric_limits<double>::infinity();
  return expected_half_width_of_series(logarithms(round_ratios));
}

std::optional<Ratio> paired_ratio(std::span<const Sample> variant,
                                  std::span<const Sample> reference) {
  const auto ratios = turn_ratios(variant, reference);
  if (ratios.empty()) return std::nullopt;
  const auto logs = logs_by_process(ratios);
  if (logs.size() == 1) return ratio_of_logs(logs.front());
  Ratio ratio = interval_of(mean_of_processes(logs));
  ratio.covers = Covers::processes;
  return ratio;
}

double half_width(const Ratio& ratio) {
  const double width = std::max(ratio.high / ratio.estimate - 1, 1 - ratio.low / ratio.estimate);
  const bool usable = ratio.estimate > 0 && std::isfinite(ratio.high) && std::isfinite(ratio.low);
  return usable && width >= 0 ? width : std::numeric_limits<double>::infinity();
}

}  // namespace trilane
