// The findings of a variant's traced passes. Times are microseconds.
#pragma once

#include "common/base/json/ranges.hpp"
#include "common/model/variant/plan.hpp"

namespace trilane {

/// The time during which two activities ("copy in", "memset", "kernel") ran on different lanes.
struct TimelineOverlap {
  std::string of, with;
  double us = 0;
  double share = 0;  ///< of the first one's running time
};
BOOST_DESCRIBE_STRUCT(TimelineOverlap, (), (of, with, us, share))
TRILANE_RANGES(TimelineOverlap, Within<&R::share>{share_range})

/// The busy time of an engine ("copy in", "compute", "copy out").
struct TimelineBusy {
  std::string engine;
  double us = 0;
  double share = 0;  ///< of the span
};
BOOST_DESCRIBE_STRUCT(TimelineBusy, (), (engine, us, share))
TRILANE_RANGES(TimelineBusy, Within<&R::share>{share_range})

/// An engine's idle time from the pass's first operation on, by the longest wait of its next one.
struct TimelineIdle {
  std::string engine;
  double host_us = 0;        ///< for the call that issues the operation
  double dependency_us = 0;  ///< for the preceding operation on its lane or stream
  double latency_us = 0;     ///< for causes that no trace shows
  double done_us = 0;        ///< after its last operation
};
BOOST_DESCRIBE_STRUCT(TimelineIdle, (), (engine, host_us, dependency_us, latency_us, done_us))

/// The summed waits of all operations of an activity, each from the end of the preceding operation
/// on its lane. Older files lack optional members.
struct TimelineWaits {
  std::string activity;
  double host_us = 0;                     ///< for the call that issues the operation
  double engine_us = 0;                   ///< for an engine that other operations used
  std::optional<double> dependency_us{};  ///< for its predecessor on the stream, on an idle engine
  double latency_us = 0;
};
BOOST_DESCRIBE_STRUCT(TimelineWaits, (), (activity, host_us, engine_us, dependency_us, latency_us))

/// Traced passes between two events. Members except lists describe that of the median time.
struct Timeline {
  std::vector<double> event_us;   ///< between the events, as the runtime reports it
  std::vector<double> before_us;  ///< from the first event to the first operation
  std::vector<double> span_us;    ///< from there to the end of the last operation
  std::vector<double> after_us;   ///< from there to the second event
  /// Between the same events before tracing began; absent from older files.
  std::optional<std::vector<double>> untraced_us{};
  std::vector<Count> operations;  ///< "copies", "memsets" and "kernels" in the trace
  std::vector<Count> planned;     ///< the same, from the plan
  std::vector<TimelineOverlap> overlap;
  std::vector<TimelineBusy> busy;
  std::vector<TimelineIdle> idle;
  std::vector<TimelineWaits> waits;
};
BOOST_DESCRIBE_STRUCT(Timeline, (),
                      (event_us, before_us, span_us, after_us, untraced_us, operations, planned,
                       overlap, busy, idle, waits))
/// Events and operations have different clocks, so an event can seem to be inside.
TRILANE_RANGES(Timeline, Within<&R::before_us, &R::after_us>{either_way_us})

}  // namespace trilane
