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

/// The times of two variants in the turns that both had.
struct Shared {
  std::vector<TurnValue> over, under;
};

Shared shared_turns(std::span<const Sample> variant, std::span<const Sample> reference) {
  const auto over = turn_means(variant), under = turn_means(reference);
  Shared shared;
  auto below = under.begin();
  for (const TurnValue& above : over) {
    while (below != under.end() && below->turn < above.turn) ++below;
    if (below == under.end()) break;
    if (below->turn != above.turn) continue;
    shared.over.push_back(above);
    shared.under.push_back(*below);
  }
  return shared;
}

/// How far each pair is from the ratio of the means, relative to it: their mean is 0, and its
/// variance is that of the ratio's logarithm (Cochran, Sampling Techniques, 1977, chapter 6).
std::vector<double> residuals(std::span<const double> over, std::span<const double> under) {
  const double above = mean(over), below = mean(under);
  std::vector<double> found;
  for (std::size_t i = 0; i < over.size(); ++i) {
    found.push_back(over[i] / above - under[i] / below);
  }
  return found;
}

std::vector<double> means_of(std::span<const std::vector<double>> processes) {
  std::vector<double> means;
  for (const std::vector<double>& of_process : processes) means.push_back(mean(of_process));
  return means;
}

std::vector<double> logarithms(std::span<const double> ratios) {
  std::vector<double> logs;
  for (const double ratio : ratios) logs.push_back(std::log(ratio));
  return logs;
}

}  // namespace

Ratio undecided(double estimate) { return {estimate, 0, 2 * std::max(1.0, estimate)}; }

std::vector<double> round_ratios(std::span<const Sample> variant,
                                 std::span<const Sample> reference) {
  const Shared shared = shared_turns(variant, reference);
  std::vector<double> ratios;
  for (std::size_t i = 0; i < shared.over.size(); ++i) {
    ratios.push_back(shared.over[i].value / shared.under[i].value);
  }
  return ratios;
}

Ratio ratio_of(std::span<const double> round_ratios) {
  if (round_ratios.empty()) throw std::invalid_argument("a ratio of variants that share no round");
  const auto logs = logarithms(round_ratios);
  return logs.size() >= fewest_rounds ? interval_of(mean_of_series(logs))
                                      : undecided(std::exp(mean(logs)));
}

double expected_half_width(std::span<const double> round_ratios) {
  if (round_ratios.size() < fewest_rounds) return std::numeric_limits<double>::infinity();
  return expected_half_width_of_series(logarithms(round_ratios));
}

std::optional<Ratio> paired_ratio(std::span<const Sample> variant,
                                  std::span<const Sample> reference) {
  const Shared shared = shared_turns(variant, reference);
  if (shared.over.empty()) return std::nullopt;
  const auto over = by_process(shared.over), under = by_process(shared.under);
  const auto above = means_of(over), below = means_of(under);
  const double estimate = mean(above) / mean(below);
  const bool several = over.size() > 1;
  if (!several && over.front().size() < fewest_rounds) return undecided(estimate);
  LogMean spread = several ? as_of_another_run(mean_of_draws(residuals(above, below)))
                           : plain_mean_of_series(residuals(over.front(), under.front()));
  spread.mean = std::log(estimate);
  Ratio ratio = interval_of(spread);
  ratio.estimate = estimate;
  ratio.covers = several ? Covers::processes : Covers::rounds;
  return ratio;
}

double half_width(const Ratio& ratio) {
  const double width = std::max(ratio.high / ratio.estimate - 1, 1 - ratio.low / ratio.estimate);
  const bool usable = ratio.estimate > 0 && std::isfinite(ratio.high) && std::isfinite(ratio.low);
  return usable && width >= 0 ? width : std::numeric_limits<double>::infinity();
}

}  // namespace trilane
