// Traced passes: what was recorded, told apart by pass.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "common/device/records.hpp"

namespace trilane {

/// One pass between two events, while it was traced. A marker, an operation of no pass, stands
/// before the first event; another behind the second, and an event behind that.
struct TracedPass {
  double begin_us = 0;   ///< on the tracer's clock: before the first call, when distributed at it
  double end_us = 0;     ///< after the last
  double event_us = 0;   ///< between the two events, as the runtime says
  double behind_us = 0;  ///< from the second to the one behind the marker
  /// Of the calls that began in it, in the order of their starts; without the markers.
  /// The wait for them all is without what it waited for the second marker.
  TraceRecords records;
  std::vector<TracedOperation> markers;

  /// From the end of the first marker to that of the second. Needs two.
  double between_markers_us() const;
  /// From the start of the first operation to the end of the last. Needs an operation.
  double first_start_us() const;
  double last_end_us() const;
};

/// One variant's traced passes.
struct VariantTrace {
  std::string variant;
  std::vector<TracedPass> passes;
  /// What the time from the first event to the one behind the last marker has more than that from
  /// marker to marker, as events and markers with no pass between them show. The last marker runs
  /// for so long that the event behind it waits for its end; the first event comes when the host
  /// has issued it, and that is where the difference is from.
  double events_more_us = 0;

  /// Between the two events of passes before anything was traced.
  std::vector<double> untraced_us{};

  /// The pass whose event time is the median one: that is shown. Needs a pass.
  const TracedPass& shown() const;
};

/// Gives each of `passes`, whose begin and end are known, those of `records` whose call began in
/// it; an operation belongs to the pass of the call that issued it.
void distribute(TraceRecords records, std::span<TracedPass> passes);

}  // namespace trilane
