// What may be promised of a change to an application: its own iteration against what it would take.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "common/explain/statistics/drift.hpp"
#include "common/explain/statistics/modes.hpp"
#include "common/model/results/results.hpp"

namespace trilane {

/// A candidate against the application itself. All times are means without interrupted passes
/// (turns.hpp), since a claim is about time in all. With several processes they are geometric means
/// of the processes' means.
struct ApplicationGain {
  double application_us = 0;  ///< an iteration of the application, less what CUPTI adds
  double calls_us = 0;        ///< the same calls, replayed
  /// The candidate with all that the application takes and its replay does not.
  double candidate_us = 0;
  /// `candidate_us` over `application_us`. Its interval holds both of these: the difference between
  /// the application and its replay stays, and it does not.
  Ratio ratio;
  bool kept = false;  ///< the interval and the estimate are a gain of at least 1%
};

/// Returns what the candidate promises; nothing if the application was not watched for at least
/// three iterations, the same calls were not timed, or one of the three was in no process.
///
/// With several processes the interval is Student's t over their ratios. One process does not know
/// how others differ: its interval combines, as independent errors, that of its own rounds and
/// iterations, `between_processes`, and the reach of modes, since another process may keep to one
/// of them.
std::optional<ApplicationGain> gain_of(const Comparison& comparison, const Measurement& candidate);

/// How much the logarithm of a gain differs from process to process of an application, as a
/// standard deviation. 19 programs with iterations of 25 to 400 us showed 9% at the median, in five
/// processes each on an H100 (driver 580); with 10%, 85 of 90 intervals held the mean of the
/// others. Most of it is the application's own time, whose mean over 0.8 s differs by 8% at the
/// median: watching for longer would not help.
inline constexpr double between_processes = 0.1;

/// The application's iterations in all processes, in microseconds, less what CUPTI adds; may be
/// empty.
std::vector<double> application_times(const Comparison& comparison);

/// How the application's iterations drift in the first process in which they do.
std::optional<Drift> application_drift(const Comparison& comparison);

/// The modes of the candidate's passes in all processes; empty without samples.
std::vector<TimeMode> modes_of(const Measurement& m);

/// Why the application and its replay differ.
enum class ReplayDiffers {
  replay_lacks,  ///< the application takes longer: something in it is not repeated
  host_slower,   ///< the replay's host code and calls alone take longer than the application
  host_waits,    ///< the host waits longer in the replay
};
ReplayDiffers why_differs(const Comparison& comparison, const ApplicationGain& gain);

}  // namespace trilane
