// Traced passes: the records, sorted by pass, and written as a file for trace viewers.
#pragma once

#include "common/device/flavour/tracer.hpp"
#include "common/model/results/results.hpp"

namespace trilane {

/// One traced pass between two events. Before the first event there is a marker, an operation that
/// belongs to no pass; behind the second there is another marker, and behind that an event.
struct TracedPass {
  bool recorded = false;  ///< an application's iteration; its lanes are the application's streams
  double begin_us = 0;    ///< on the tracer's clock; distribute() moves it to the first call
  double end_us = 0;      ///< after the last call
  double event_us = 0;    ///< between the two events, as the runtime reports it
  double behind_us = 0;   ///< from the second event to the one behind the marker
  /// The calls that began in it and their operations, by start, without the markers. Excludes the
  /// time that the last call waited for the second marker.
  TraceRecords records;
  std::vector<TracedOperation> markers;

  /// Returns the time from the end of the first marker to the end of the second. Needs both.
  double between_markers_us() const { return markers.back().end_us - markers.front().end_us; }
  /// Return the first start and the last end of an operation. Need an operation.
  double first_start_us() const { return records.operations.front().start_us; }
  double last_end_us() const;
};

/// One variant's traced passes.
struct VariantTrace {
  std::string variant;
  std::vector<TracedPass> passes;
  /// The time from the first event to the one behind the last marker, minus the time from marker to
  /// marker, measured with no pass in between. The last marker is long enough for the event behind
  /// it to wait for its end; the first event waits until the host has issued it.
  double events_more_us = 0;

  /// Times between the two events of passes before tracing began.
  std::vector<double> untraced_us{};

  /// Returns the pass with the median event time. Needs a pass.
  const TracedPass& shown() const;
};

/// Sorts `records` into `passes`, whose begin and end are known. A call belongs to the pass in
/// which it began, an operation to the pass of the call that issued it.
void distribute(TraceRecords records, std::span<TracedPass> passes);

/// One row: calls or operations that do not overlap. One of the lists is empty.
struct Track {
  std::string name;
  std::vector<const TracedCall*> calls{};
  std::vector<const TracedOperation*> operations{};
};

/// The rows of a pass, which must outlive them: host threads ("host"), engines (trace_summary.hpp)
/// and lanes ("lane 0", "whole pass"; "stream 0" of an application). Overlapping items continue in
/// further rows ("compute, row 2"). Every operation has two rows, its engine's and its lane's.
struct Tracks {
  explicit Tracks(const TracedPass& pass);

  std::vector<Track> host, engines, lanes;
};

/// The traces of one comparison.
struct ComparisonTrace {
  std::size_t comparison = 0;  ///< its place in the results
  std::string workload;        ///< its label
  std::vector<VariantTrace> variants{};
};

/// Returns one process per workload and variant with its shown pass, starting at time 0 so that all
/// share one time axis. Each has one thread per track, and a flow from each call to what it issued.
/// Times are microseconds, to the nanosecond.
std::string chrome_trace(const std::vector<ComparisonTrace>& comparisons, const Context& context);

}  // namespace trilane
