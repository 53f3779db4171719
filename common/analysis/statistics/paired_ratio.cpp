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

struct TurnRatio {
  Turn turn;
  double ratio;
};

std::vector<TurnRatio> turn_ratios(std::span<const Sample> variant,
                                   std::span<const Sample> reference) {
  const auto over = turn_medians(variant), under = turn_medians(reference);
  std::vector<TurnRatio> ratios;
  auto below = under.begin();
  for (const TurnMedian& above : over) {
    while (below != under.end() && below->turn < above.turn) ++below;
    if (below == under.end()) break;
    if (below->turn == above.turn) ratios.push_back({above.turn, above.wall_us / below->wall_us});
  }
  return ratios;
}

std::vector<double> logarithms(std::span<const double> ratios) {
  std::vector<double> logs;
  for (const double ratio : ratios) logs.push_back(std::log(ratio));
  return logs;
}

/// The mean logarithm of each process's ratios.
std::vector<double> by_process(std::span<const TurnRatio> ratios) {
  std::vector<double> means;
  for (std::size_t first = 0, last = 0; first < ratios.size(); first = last) {
    double sum = 0;
    for (; last < ratios.size() && ratios[last].turn.first == ratios[first].turn.first; ++last) {
      sum += std::log(ratios[last].ratio);
    }
    means.push_back(sum / static_cast<double>(last - first));
  }
  return means;
}

}  // namespace

Ratio undecided(double estimate) { return {estimate, 0, 2 * std::max(1.0, estimate)}; }

std::vector<double> round_ratios(std::span<const Sample> variant,
                                 std::span<const Sample> reference) {
  std::vector<double> ratios;
  for (const TurnRatio& of : turn_ratios(variant, reference)) ratios.push_back(of.ratio);
  return ratios;
}

Ratio ratio_of(std::span<const double> round_ratios) {
  if (round_ratios.empty()) throw std::invalid_argument("a ratio of variants that share no round");
  const auto logs = logarithms(round_ratios);
  if (logs.size() >= fewest_rounds) return interval_of(mean_of_series(logs));
  return undecided(std::exp(mean(logs)));
}

double expected_half_width(std::span<const double> round_ratios) {
  if (round_ratios.size() < fewest_rounds) return std::numeric_limits<double>::infinity();
  return expected_half_width_of_series(logarithms(round_ratios));
}

std::optional<Ratio> paired_ratio(std::span<const Sample> variant,
                                  std::span<const Sample> reference) {
  const auto ratios = turn_ratios(variant, reference);
  if (ratios.empty()) return std::nullopt;
  const auto processes = by_process(ratios);
  return processes.size() > 1 ? interval_of(mean_of_draws(processes))
                              : ratio_of(round_ratios(variant, reference));
}

double half_width(const Ratio& ratio) {
  const double width = std::max(ratio.high / ratio.estimate - 1, 1 - ratio.low / ratio.estimate);
  const bool usable = ratio.estimate > 0 && std::isfinite(ratio.high) && std::isfinite(ratio.low);
  return usable && width >= 0 ? width : std::numeric_limits<double>::infinity();
}

}  // namespace trilane
