#include "common/analysis/statistics/unpaired_ratio.hpp"
#include "common/analysis/statistics/paired_ratio.hpp"

#include <cmath>
#include <optional>
#include <stdexcept>

#include "common/analysis/statistics/interval.hpp"
#include "common/analysis/statistics/statistics.hpp"
#include "common/analysis/statistics/turns.hpp"

namespace trilane {
namespace {

/// The logarithms of the turns' medians, by process.
std::vector<std::vector<double>> logs_by_process(std::span<const Sample> samples) {
  if (samples.empty()) throw std::invalid_argument("a ratio from no samples");
  std::vector<std::vector<double>> processes;
  std::optional<std::uint32_t> current;
  for (const TurnMedian& median : turn_medians(samples)) {
    if (current != median.turn.first) processes.emplace_back();
    current = median.turn.first;
    processes.back().push_back(std::log(median.wall_us));
  }
  return processes;
}

/// The variance is not known from too few rounds.
struct Side {
  double mean;
  std::optional<LogMean> known{};
};

Side side_of(std::span<const Sample> samples) {
  const auto processes = logs_by_process(samples);
  if (processes.size() == 1) {
    const std::vector<double>& rounds = processes.front();
    if (rounds.size() < fewest_rounds) return {mean(rounds)};
    const LogMean known = mean_of_series(rounds);
    return {known.mean, known};
  }
  std::vector<double> means;
  for (const std::vector<double>& rounds : processes) means.push_back(mean(rounds));
  const LogMean known = mean_of_draws(means);
  return {known.mean, known};
}

}  // namespace

Ratio unpaired_ratio(std::span<const Sample> now, std::span<const Sample> before,
                     double confidence) {
  const Side above = side_of(now), below = side_of(before);
  if (!above.known || !below.known) return undecided(std::exp(above.mean - below.mean));
  return interval_of(difference(*above.known, *below.known), confidence);
}

}  // namespace trilane
