#include "common/explain/statistics/unpaired_ratio.hpp"

#include <cmath>
#include <optional>
#include <stdexcept>

#include "common/explain/statistics/interval.hpp"
#include "common/explain/statistics/statistics.hpp"
#include "common/explain/statistics/turns.hpp"
#include "common/explain/statistics/variant_ratio.hpp"

namespace trilane {
namespace {

/// The logarithm of a pass's time; its variance is unknown with too few rounds of one process.
struct RunSide {
  double log;
  std::optional<LogMean> known{};
  Covers covers = Covers::rounds;
};

LogMean mean_over_turns(std::vector<double> times, double us) {
  for (double& turn_us : times) turn_us /= us;
  LogMean known = plain_mean_of_series(times);
  known.mean = std::log(us);
  return known;
}

RunSide side_of(std::span<const Sample> samples) {
  if (samples.empty()) throw std::invalid_argument("a ratio from no samples");
  const auto times = by_process(turn_means(samples));
  const double us = pass_us(samples), log = std::log(us);
  if (times.size() > 1) return {log, mean_over_processes(times), Covers::processes};
  if (times.front().size() < fewest_rounds) return {log};
  return {log, mean_over_turns(times.front(), us)};
}

}  // namespace

Ratio unpaired_ratio(std::span<const Sample> now, std::span<const Sample> before,
                     double confidence) {
  const RunSide above = side_of(now), below = side_of(before);
  if (!above.known || !below.known) return undecided(std::exp(above.log - below.log));
  Ratio ratio = interval_of(difference(*above.known, *below.known), confidence);
  if (above.covers == below.covers) ratio.covers = above.covers;
  return ratio;
}

}  // namespace trilane
