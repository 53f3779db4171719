#include "common/explain/statistics/interval.hpp"

#include <boost/math/distributions/binomial.hpp>
#include <boost/math/distributions/students_t.hpp>
#include <numbers>

namespace trilane {
namespace {

/// Slow drift can move the mean and still be too weak to show in neighbours. A short series hardly
/// shows any correlation, so it is assumed to have about the largest one found between rounds.
double least_correlation(std::size_t values) { return values < 20 ? 0.4 : 0.15; }

void ensure(std::size_t values, std::size_t fewest) {
  if (values >= fewest) return;
  throw std::invalid_argument(fmt::format("an interval from {} values", values));
}

struct Centred {
  double centre;
  std::vector<double> deviations;
};

Centred centred(std::vector<double> values) {
  const double centre = mean(values);
  for (double& value : values) value -= centre;
  return {centre, std::move(values)};
}

double variance_of(std::span<const double> deviations) {
  double squares = 0;
  for (const double value : deviations) squares += value * value;
  return squares / static_cast<double>(deviations.size() - 1);
}

/// Returns the half width of the interval in standard errors.
double t_quantile(double freedom, double confidence = 0.95) {
  const boost::math::students_t student(freedom);
  return boost::math::quantile(boost::math::complement(student, (1 - confidence) / 2));
}

/// Clamps values to 3 times the 90th percentile of the distance from the median, so that a hiccup
/// of the host in one round does not move the result. It affects 1 in a million normal values.
std::vector<double> without_outliers(std::span<const double> values) {
  const double centre = median(values);
  std::vector<double> result(values.begin(), values.end()), distances;
  for (const double value : values) distances.push_back(std::abs(value - centre));
  const double reach = 3 * quantile(distances, 0.9);
  for (double& value : result) value = std::clamp(value, centre - reach, centre + reach);
  return result;
}

std::size_t frequencies(std::size_t n) {
  return static_cast<std::size_t>(std::round(std::pow(static_cast<double>(n), 0.37)));
}

/// Returns the correlation of neighbours, without the bias of short series (Marriott and Pope
/// 1954), but at least least_correlation().
double autocorrelation(std::span<const double> deviations) {
  const auto n = static_cast<double>(deviations.size());
  const double least = least_correlation(deviations.size());
  double products = 0, squares = 0;
  for (std::size_t i = 0; i < deviations.size(); ++i) {
    squares += deviations[i] * deviations[i];
    if (i > 0) products += deviations[i] * deviations[i - 1];
  }
  if (!(squares > 0)) return least;
  const double found = products / squares;
  return std::clamp(found + (1 + 3 * found) / n, least, 0.8);
}

/// Returns the squared weight of a frequency in the series. Its expectation is the variance there.
double power(std::span<const double> deviations, double frequency) {
  double sum = 0;
  for (std::size_t i = 0; i < deviations.size(); ++i) {
    sum += deviations[i] * std::cos(frequency * (static_cast<double>(i) + 0.5));
  }
  return 2 * sum * sum / static_cast<double>(deviations.size());
}

/// Returns a first-order autoregression's variance at a frequency over the mean's, at zero.
double share_left(double correlation, double frequency) {
  const double r = correlation;
  return (1 - r) * (1 - r) / (1 - 2 * r * std::cos(frequency) + r * r);
}

using Binomial = boost::math::binomial_distribution<double>;

void ensure_trials(std::size_t hits, std::size_t trials) {
  if (trials > 0 && hits <= trials) return;
  throw std::invalid_argument(fmt::format("{} of {} trials", hits, trials));
}

}  // namespace

LogMean mean_of_series(std::span<const double> logs) {
  ensure(logs.size(), 3);
  return plain_mean_of_series(without_outliers(logs));
}

LogMean plain_mean_of_series(std::span<const double> values) {
  ensure(values.size(), 3);
  const auto n = static_cast<double>(values.size());
  const auto [centre, deviations] = centred({values.begin(), values.end()});
  const double correlation = autocorrelation(deviations);
  const std::size_t count = frequencies(values.size());
  double variance = 0, left = 0;
  for (std::size_t k = 1; k <= count; ++k) {
    const double frequency = std::numbers::pi * static_cast<double>(k) / n;
    variance += power(deviations, frequency);
    left += share_left(correlation, frequency);
  }
  return {centre, variance / left / n, static_cast<double>(count)};
}

LogMean log_of_mean(std::span<const double> values) {
  const double scale = mean(values);
  LogMean log =
      plain_mean_of_series(transformed(values, [=](double value) { return value / scale; }));
  log.mean = std::log(scale);
  return log;
}

LogMean mean_of_draws(std::span<const double> logs) {
  ensure(logs.size(), 2);
  const auto [centre, deviations] = centred({logs.begin(), logs.end()});
  const auto n = static_cast<double>(logs.size());
  return {centre, variance_of(deviations) / n, n - 1};
}

LogMean middle_mean_of_draws(std::span<const double> values) {
  ensure(values.size(), 2);
  const std::size_t out = left_out_at_each_end(values.size());
  std::vector<double> moved(values.begin(), values.end());
  std::ranges::sort(moved);
  std::fill_n(moved.begin(), out, moved[out]);
  std::fill_n(moved.rbegin(), out, moved[moved.size() - 1 - out]);
  const auto n = static_cast<double>(values.size()), rest = n - 2 * static_cast<double>(out);
  const double variance = variance_of(centred(std::move(moved)).deviations);
  return {middle_mean(values), variance * (n - 1) / (rest * (rest - 1)), rest - 1};
}

LogMean mean_over_processes(const ByProcess& times) {
  std::vector<double> means = means_of(times);
  const double of_all = middle_mean(means);
  for (double& us : means) us /= of_all;
  LogMean found = middle_mean_of_draws(means);
  found.mean = std::log(of_all);
  return found;
}

LogMean difference(const LogMean& now, const LogMean& before) {
  const double one = now.variance, other = before.variance, both = one + other;
  double freedom = std::min(now.freedom, before.freedom);
  if (now.freedom == before.freedom && both > 0) {
    freedom *= both * both / (one * one + other * other);
  }
  return {now.mean - before.mean, both, freedom};
}

LogMean as_of_another_run(const LogMean& mean) {
  return {mean.mean, 2 * mean.variance, mean.freedom};
}

double quantile_of(const LogMean& mean, double share) {
  const boost::math::students_t student(mean.freedom);
  return mean.mean + std::sqrt(mean.variance) * boost::math::quantile(student, share);
}

Ratio interval_of(const LogMean& mean, double confidence) {
  const double half = t_quantile(mean.freedom, confidence) * std::sqrt(mean.variance);
  return {std::exp(mean.mean), std::exp(mean.mean - half), std::exp(mean.mean + half)};
}

double expected_half_width_of_series(std::span<const double> logs) {
  ensure(logs.size(), 3);
  const auto [centre, deviations] = centred(without_outliers(logs));
  return t_quantile(static_cast<double>(frequencies(logs.size()))) *
         std::sqrt(variance_of(deviations) / static_cast<double>(logs.size()));
}

Share clopper_pearson(std::size_t hits, std::size_t trials) {
  ensure_trials(hits, trials);
  constexpr double each_side = 0.025;
  const auto n = static_cast<double>(trials), k = static_cast<double>(hits);
  return {Binomial::find_lower_bound_on_p(n, k, each_side),
          Binomial::find_upper_bound_on_p(n, k, each_side)};
}

double binomial_test(std::size_t hits, std::size_t trials, double probability) {
  ensure_trials(hits, trials);
  const Binomial counts(static_cast<double>(trials), probability);
  // Rounding may separate equally likely counts.
  const double as_likely = boost::math::pdf(counts, static_cast<double>(hits)) * (1 + 1e-7);
  double p = 0;
  for (std::size_t count = 0; count <= trials; ++count) {
    const double likely = boost::math::pdf(counts, static_cast<double>(count));
    if (likely <= as_likely) p += likely;
  }
  return std::min(p, 1.0);
}

}  // namespace trilane
