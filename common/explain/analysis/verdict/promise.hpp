// Computes the promise of a change to an application: its own iteration against the predicted one.
#pragma once

#include "common/explain/statistics/series.hpp"
#include "common/model/results/results.hpp"

namespace trilane {

/// A candidate compared with the application itself. All times are means without interrupted passes
/// (statistics.hpp), since a claim is about total time. Several processes: geometric means.
struct ApplicationGain {
  double application_us = 0;  ///< an iteration of the application, less CUPTI's cost
  double calls_us = 0;        ///< the same calls, replayed
  /// The candidate plus what the application takes beyond its replay.
  double candidate_us = 0;
  /// `candidate_us` over `application_us`. Its interval covers both cases: the difference between
  /// the application and its replay stays, or does not.
  Ratio ratio;
  bool kept = false;  ///< interval and estimate show a gain of at least 1%
};

/// Returns what the candidate promises. Returns nothing if the application was not watched for at
/// least three iterations, the same calls were not timed, or no process has all three times.
///
/// With several processes the interval is Student's t over their ratios. One process does not know
/// how others differ: its interval combines, as independent errors, that of its own rounds and
/// iterations, `between_processes`, and the reach of modes, of which another may keep to one.
std::optional<ApplicationGain> gain_of(const Comparison& comparison, const Measurement& candidate);

/// Standard deviation of the logarithm of a gain between processes of an application. 19 programs
/// with iterations of 25 to 400 us showed 9% at the median, in five processes each on an H100
/// (driver 580). With 10%, 85 of 90 intervals held the mean of the others. Most of it is the
/// application's own time, which watching for longer does not change.
inline constexpr double between_processes = 0.1;

/// Returns the application's iterations in all processes, in microseconds, less CUPTI's cost.
std::vector<double> application_times(const Comparison& comparison);

/// Returns the drift of the application's iterations in the first process that has one.
std::optional<Drift> application_drift(const Comparison& comparison);

/// Returns the modes of the candidate's passes in all processes; empty without samples.
std::vector<TimeMode> modes_of(const Measurement& m);

}  // namespace trilane
