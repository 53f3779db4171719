// Confidence intervals of a ratio from repeated measurements, computed on logarithms.
#pragma once

#include <span>
#include <vector>

#include "common/model/results/results.hpp"

namespace trilane {

/// A mean of logarithms and its uncertainty.
struct LogMean {
  double mean = 0;
  double variance = 0;  ///< of the mean
  double freedom = 1;   ///< degrees of freedom of the variance
};

/// The mean of at least 3 values, in the order of measurement; neighbours may be correlated. The
/// variance comes from the lowest n^0.37 cosine frequencies of the series, whose number is its
/// degrees of freedom (Lazarus, Lewis, Stock and Watson 2018). It is corrected for what a
/// first-order autoregression loses at these frequencies. Outliers count less (Huber 1964). With
/// fewer than 20 values the interval is wider than most series need: it then allows for a
/// correlation of 0.4, because so few values do not show their own.
LogMean mean_of_series(std::span<const double> logs);

/// The arithmetic mean of such a series, as it is: outliers count in full, and widen the interval.
LogMean plain_mean_of_series(std::span<const double> values);

/// The mean of at least 2 independent values; n-1 degrees of freedom.
LogMean mean_of_draws(std::span<const double> logs);

/// middle_mean() of at least 2 independent values. The variance is that of the values with the ones
/// left out moved to the ends of the rest, and the degrees of freedom are those of the rest (Yuen
/// 1974).
LogMean middle_mean_of_draws(std::span<const double> values);

/// The logarithm of the middle mean over at least 2 processes of the mean of their times, which are
/// above zero. Processes are independent of each other.
LogMean mean_over_processes(std::span<const std::vector<double>> times);

/// `now` minus `before`, which are independent: variances add up. The degrees of freedom are those
/// of Welch (1947) if both sides have as many, and otherwise those of the side that has fewer (Hsu
/// 1938): with 2 values against 10 Welch's 99.95% interval misses 20 to 70 times too often.
LogMean difference(const LogMean& now, const LogMean& before);

/// The mean, with the uncertainty of that of another such run around it: of as many new draws. Its
/// 95% interval contains what another run finds in 95% of cases, and the true mean more often.
LogMean as_of_another_run(const LogMean& mean);

/// The value that lies above so large a share of Student's t distribution around the mean; the
/// share is above 0 and below 1.
double quantile_of(const LogMean& mean, double share);

/// The geometric mean with Student's t interval at `confidence`, which is below 1.
Ratio interval_of(const LogMean& mean, double confidence = 0.95);

/// The relative half width to expect of the interval of a series if neighbours are not correlated.
/// A run must not stop on the interval itself: it would stop when that is too narrow by chance. On
/// synthetic samples such intervals contained the true value in 90 to 93% of cases.
double expected_half_width_of_series(std::span<const double> logs);

}  // namespace trilane
