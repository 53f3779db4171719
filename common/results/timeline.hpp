// What traced passes of a variant showed. Times are microseconds.
#pragma once

#include <boost/describe/class.hpp>
#include <optional>
#include <string>
#include <vector>

#include "common/variant/plan.hpp"

namespace trilane {

/// How long operations of two activities ("copy in", "copy out", "memset", "kernel") were running
/// on different lanes at the same time.
struct TimelineOverlap {
  std::string of, with;
  double us = 0;
  double share = 0;  ///< of the time that operations of the first were running
};
BOOST_DESCRIBE_STRUCT(TimelineOverlap, (), (of, with, us, share))

/// An engine ("copy in", "compute", "copy out") at work.
struct TimelineBusy {
  std::string engine;
  double us = 0;
  double share = 0;  ///< of the span
};
BOOST_DESCRIBE_STRUCT(TimelineBusy, (), (engine, us, share))

/// Its gaps from the start of the pass's first operation on, by what the next operation on it was
/// waiting for longest; and the time after its last.
struct TimelineIdle {
  std::string engine;
  double host_us = 0;        ///< for the call that issues it
  double dependency_us = 0;  ///< for the one before it on its lane or stream
  double latency_us = 0;     ///< for nothing that a trace shows
  double done_us = 0;
};
BOOST_DESCRIBE_STRUCT(TimelineIdle, (), (engine, host_us, dependency_us, latency_us, done_us))

/// What all operations of an activity waited for, summed, since the one before each on its lane.
/// What is optional is absent in older files.
struct TimelineWaits {
  std::string activity;
  double host_us = 0;                     ///< for the calls that issue them
  double engine_us = 0;                   ///< for an engine that others used
  std::optional<double> dependency_us{};  ///< for the one before it on its stream, where none did
  double latency_us = 0;
};
BOOST_DESCRIBE_STRUCT(TimelineWaits, (), (activity, host_us, engine_us, dependency_us, latency_us))

/// Passes between two events, each traced as a whole; everything but the lists by pass is of the
/// one whose event time is the median.
struct Timeline {
  std::vector<double> event_us;   ///< between the events, as the runtime says
  std::vector<double> before_us;  ///< from the first event to the first operation
  std::vector<double> span_us;    ///< from there to the end of the last operation
  std::vector<double> after_us;   ///< from there to the second event
  /// Between the same two events before anything was traced; absent in older files.
  std::optional<std::vector<double>> untraced_us{};
  std::vector<Count> operations;  ///< "copies", "memsets" and "kernels" seen
  std::vector<Count> planned;     ///< the same by the variant's plan
  std::vector<TimelineOverlap> overlap;
  std::vector<TimelineBusy> busy;
  std::vector<TimelineIdle> idle;
  std::vector<TimelineWaits> waits;
};
BOOST_DESCRIBE_STRUCT(Timeline, (),
                      (event_us, before_us, span_us, after_us, untraced_us, operations, planned,
                       overlap, busy, idle, waits))

}  // namespace trilane
