// Traced passes: what was recorded, told apart by pass.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "common/trace/records.hpp"

namespace trilane {

/// One pass between two events, and these between two markers, while it was traced.
struct TracedPass {
  double begin_us = 0;  ///< on the tracer's clock: before the first call
  double end_us = 0;    ///< after the last
  double event_us = 0;  ///< between the two events, as the runtime says
  /// Of the calls that began in it, in the order of their starts; without the markers.
  TraceRecords records;
  std::vector<TracedOperation> markers;

  /// Between the end of the first marker and the start of the last. Needs two.
  double between_markers_us() const;
  /// From the start of the first operation to the end of the last. Needs an operation.
  double first_start_us() const;
  double last_end_us() const;
};

/// One variant's traced passes.
struct VariantTrace {
  std::string variant;
  std::vector<TracedPass> passes;
  /// What lies between markers besides the time between their events, as two events with nothing
  /// between them show: half of it before the first and half after the last.
  double markers_us = 0;

  /// The pass whose event time is the median one: that is shown. Needs a pass.
  const TracedPass& shown() const;
};

/// Gives each of `passes`, whose begin and end are known, those of `records` whose call began in
/// it; an operation belongs to the pass of the call that issued it.
void distribute(TraceRecords records, std::span<TracedPass> passes);

}  // namespace trilane
