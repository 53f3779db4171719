#include "common/analysis/statistics/unpaired_ratio.hpp"

#include <cmath>
#include <optional>
#include <stdexcept>

#include "common/analysis/statistics/interval.hpp"
#include "common/analysis/statistics/paired_ratio.hpp"
#include "common/analysis/statistics/statistics.hpp"
#include "common/analysis/statistics/turns.hpp"

namespace trilane {
namespace {

/// The variance is not known from too few rounds.
struct Side {
  double mean;
  std::optional<LogMean> known{};
  Covers covers = Covers::rounds;
};

Side side_of(std::span<const Sample> samples) {
  if (samples.empty()) throw std::invalid_argument("a ratio from no samples");
  const auto logs = logs_by_process(turn_medians(samples));
  const std::vector<double>& rounds = logs.front();
  if (logs.size() == 1 && rounds.size() < fewest_rounds) return {mean(rounds)};
  if (logs.size() == 1) {
    const LogMean known = mean_of_series(rounds);
    return {known.mean, known};
  }
  const LogMean known = mean_of_processes(logs);
  return {known.mean, known, Covers::processes};
}

}  // namespace

Ratio unpaired_ratio(std::span<const Sample> now, std::span<const Sample> before,
                     double confidence) {
  const Side above = side_of(now), below = side_of(before);
  if (!above.known || !below.known) return undecided(std::exp(above.mean - below.mean));
  Ratio ratio = interval_of(difference(*above.known, *below.known), confidence);
  if (above.covers == below.covers) ratio.covers = above.covers;
  return ratio;
}

}  // namespace trilane
