// Computes confidence intervals of a ratio from repeated measurements, on logarithms, and tests how
// often intervals contain the true value.
#pragma once

#include "common/explain/statistics/statistics.hpp"

namespace trilane {

/// A mean of logarithms and its uncertainty.
struct LogMean {
  double mean = 0;
  double variance = 0;  ///< of the mean
  double freedom = 1;   ///< degrees of freedom of the variance
};

/// Returns the mean of at least 3 values, in the order of measurement; neighbours may be
/// correlated.
/// - The variance comes from the lowest n^0.37 cosine frequencies of the series, whose number is
///   its degrees of freedom (Lazarus, Lewis, Stock and Watson 2018); it is corrected for what a
///   first-order autoregression loses there. Outliers count less (Huber 1964).
/// - With fewer than 20 values, which do not show their own correlation, one of 0.4 is assumed.
LogMean mean_of_series(std::span<const double> logs);

/// Returns the arithmetic mean of such a series; outliers count in full, and widen the interval.
LogMean plain_mean_of_series(std::span<const double> values);

/// Returns the logarithm of that mean of values above zero.
LogMean log_of_mean(std::span<const double> values);

/// Returns the mean of at least 2 independent values; n-1 degrees of freedom.
LogMean mean_of_draws(std::span<const double> logs);

/// Returns middle_mean() of at least 2 independent values. The variance is that of all values with
/// the left-out ones moved to the ends of the rest; degrees of freedom as for the rest (Yuen 1974).
LogMean middle_mean_of_draws(std::span<const double> values);

/// Returns the logarithm of the middle mean of at least 2 processes' mean times, which are above
/// zero. Processes are independent of each other.
LogMean mean_over_processes(const ByProcess& times);

/// Returns `now` minus `before`, which are independent: variances add up. The degrees of freedom
/// are those of Welch (1947) if both sides have as many, and otherwise those of the side with fewer
/// (Hsu 1938): with 2 values against 10, Welch's 99.95% interval misses 20 to 70 times too often.
LogMean difference(const LogMean& now, const LogMean& before);

/// Returns the mean, with the uncertainty of another such run added, which has as many new draws.
/// Its 95% interval contains another run's result in 95% of cases, and the true mean more often.
LogMean as_of_another_run(const LogMean& mean);

/// Returns the value above this share, from 0 to 1, of Student's t distribution around the mean.
double quantile_of(const LogMean& mean, double share);

/// Returns the geometric mean with Student's t interval at `confidence`, which is below 1.
Ratio interval_of(const LogMean& mean, double confidence = 0.95);

/// Returns the expected relative half width of a series' interval without correlation of
/// neighbours. A run must not stop on the interval itself: it would stop when that is too narrow by
/// chance. On synthetic samples such intervals contained the true value in 90 to 93% of cases.
double expected_half_width_of_series(std::span<const double> logs);

struct Share {
  double low = 0, high = 1;
};

/// Returns the exact 95% interval of a probability after `hits` in `trials` independent trials
/// (Clopper and Pearson 1934). Throws std::invalid_argument without trials and for more hits.
Share clopper_pearson(std::size_t hits, std::size_t trials);

/// Returns the p-value of the exact two-sided binomial test: the probability of all counts that are
/// at most as likely as `hits`. Throws like clopper_pearson().
double binomial_test(std::size_t hits, std::size_t trials, double probability);

}  // namespace trilane
