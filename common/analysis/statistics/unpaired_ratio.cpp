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
  const auto times = by_process(turn_means(samples));
  const double us = pass_us(samples), log = std::log(us);
  const bool several = times.size() > 1;
  if (!several && times.front().size() < fewest_rounds) return {log};
  std::vector<double> relative;
  for (const std::vector<double>& of_process : times) {
    if (several) relative.push_back(mean(of_process) / us);
  }
  if (!several) {
    for (const double turn_us : times.front()) relative.push_back(turn_us / us);
  }
  LogMean known = several ? mean_of_draws(relative) : plain_mean_of_series(relative);
  known.mean = log;
  return {log, known, several ? Covers::processes : Covers::rounds};
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
