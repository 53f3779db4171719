// 95% intervals of a ratio from repeated measurements of it, on the scale of logarithms.
#pragma once

#include <span>

#include "common/results/results.hpp"

namespace trilane {

/// The mean of logarithms, and what is known of how far it may be off.
struct LogMean {
  double mean = 0;
  double variance = 0;  ///< of the mean
  double freedom = 1;   ///< the degrees of freedom that the variance has
};

/// Of values in the order in which they were measured, though neighbours resemble each other. The
/// variance of the mean comes from the series' lowest cosine frequencies, about n^0.37 of them,
/// which are its degrees of freedom (Lazarus, Lewis, Stock and Watson 2018); what autocorrelation
/// takes off at these is put back as for a first-order autoregression. Values far outside of the
/// others are drawn in first. Needs at least 3 values.
LogMean mean_of_series(std::span<const double> logs);

/// Of independent values: n-1 degrees of freedom. Needs at least 2 values.
LogMean mean_of_draws(std::span<const double> logs);

/// `now` less `before`, which know nothing of each other: the variances add up, and have the
/// degrees of freedom of the side that has fewer (Hsu 1938). Welch's would be more, but of 2 draws
/// against 10 an interval of 99.95% then misses 20 to 70 times as often as it says.
LogMean difference(const LogMean& now, const LogMean& before);

/// The geometric mean with Student's t interval; `confidence` is that of the interval, below 1.
Ratio interval_of(const LogMean& mean, double confidence = 0.95);

/// From values in the order in which they were measured, each the logarithm of a ratio: their
/// geometric mean, with an interval that holds 95% though neighbours resemble each other, see
/// mean_of_series(). Needs at least 3 values.
Ratio interval_of_series(std::span<const double> logs);

/// How wide that interval is expected to be, each way and relative, if neighbours do not resemble
/// each other. A run must not be stopped for the interval itself: it would stop where that is too
/// narrow by chance, and on synthetic samples held the truth in 90 to 93% of cases then.
double expected_half_width_of_series(std::span<const double> logs);

/// From independent values, each the logarithm of a ratio: their geometric mean with a 95%
/// interval, see mean_of_draws(). Needs at least 2 values.
Ratio interval_of_draws(std::span<const double> logs);

}  // namespace trilane
