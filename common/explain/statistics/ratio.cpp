#include "common/explain/statistics/ratio.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <stdexcept>

#include "common/explain/statistics/interval.hpp"
#include "common/explain/statistics/statistics.hpp"

namespace trilane {
namespace {

/// Returns the distance of each pair from the ratio of the means, relative to it. Their mean is 0,
/// and its variance is that of the ratio's logarithm (Cochran, Sampling Techniques, 1977, chapter
/// 6).
std::vector<double> residuals(std::span<const double> over, std::span<const double> under) {
  const double above = mean(over), below = mean(under);
  std::vector<double> found;
  for (std::size_t i = 0; i < over.size(); ++i) {
    found.push_back(over[i] / above - under[i] / below);
  }
  return found;
}

/// In one process, common influences on both variants cancel in a round.
LogMean paired(std::span<const double> over, std::span<const double> under) {
  LogMean found = plain_mean_of_series(residuals(over, under));
  found.mean = std::log(mean(over) / mean(under));
  return found;
}

std::vector<double> logarithms(std::span<const double> ratios) {
  std::vector<double> logs;
  for (const double ratio : ratios) logs.push_back(std::log(ratio));
  return logs;
}

/// Returns nothing if one of the errors is unknown.
std::optional<double> larger_error(const Prediction& one, const Prediction& other) {
  if (!one.ratio_error || !other.ratio_error) return std::nullopt;
  return std::max(*one.ratio_error, *other.ratio_error);
}

/// The logarithm of a pass's time; its variance is unknown with too few rounds of one process.
struct RunSide {
  double log;
  std::optional<LogMean> known{};
  Covers covers = Covers::rounds;
};

RunSide side_of(std::span<const Sample> samples) {
  if (samples.empty()) throw std::invalid_argument("a ratio from no samples");
  const auto times = by_process(turn_means(samples));
  const double log = std::log(pass_us(samples));
  if (times.size() > 1) return {log, mean_over_processes(times), Covers::processes};
  const std::vector<double>& turns = times.begin()->second;
  if (turns.size() < fewest_rounds) return {log};
  return {log, log_of_mean(turns)};
}

}  // namespace

Ratio undecided(double estimate) { return {estimate, 0, 2 * std::max(1.0, estimate)}; }

std::vector<double> round_ratios(std::span<const Sample> variant,
                                 std::span<const Sample> reference) {
  const SharedTurns shared = shared_turns(variant, reference);
  std::vector<double> ratios;
  for (std::size_t i = 0; i < shared.variant.size(); ++i) {
    ratios.push_back(shared.variant[i].value / shared.reference[i].value);
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

std::optional<Ratio> variant_ratio(std::span<const Sample> variant,
                                   std::span<const Sample> reference) {
  const SharedTurns shared = shared_turns(variant, reference);
  if (shared.variant.empty()) return std::nullopt;
  const auto over = by_process(shared.variant), under = by_process(shared.reference);
  const bool several = over.size() > 1;
  const std::vector<double>&above = over.begin()->second, &below = under.begin()->second;
  if (!several && above.size() < fewest_rounds) return undecided(mean(above) / mean(below));
  Ratio ratio = interval_of(
      several ? as_of_another_run(difference(mean_over_processes(over), mean_over_processes(under)))
              : paired(above, below));
  ratio.covers = several ? Covers::processes : Covers::rounds;
  return ratio;
}

double half_width(const Ratio& ratio) {
  const double width = std::max(ratio.high / ratio.estimate - 1, 1 - ratio.low / ratio.estimate);
  const bool usable = ratio.estimate > 0 && std::isfinite(ratio.high) && std::isfinite(ratio.low);
  return usable && width >= 0 ? width : std::numeric_limits<double>::infinity();
}

std::optional<Ratio> wall_ratio(const Measurement& m, const Measurement& base) {
  if (!m.prediction || !base.prediction) return variant_ratio(m.samples, base.samples);
  if (m.samples.empty() || base.samples.empty()) return std::nullopt;
  const double estimate = pass_us(m.samples) / pass_us(base.samples);
  if (const auto factor = larger_error(*m.prediction, *base.prediction)) {
    return Ratio{estimate, estimate / *factor, estimate * *factor, Covers::model_error};
  }
  Ratio ratio = undecided(estimate);
  ratio.covers = Covers::model_error;
  return ratio;
}

Ratio unpaired_ratio(std::span<const Sample> now, std::span<const Sample> before,
                     double confidence) {
  const RunSide above = side_of(now), below = side_of(before);
  if (!above.known || !below.known) return undecided(std::exp(above.log - below.log));
  Ratio ratio = interval_of(difference(*above.known, *below.known), confidence);
  if (above.covers == below.covers) ratio.covers = above.covers;
  return ratio;
}

}  // namespace trilane
