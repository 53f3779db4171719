// Traced passes: what was recorded, told apart by pass.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "common/trace/records.hpp"

namespace trilane {

/// One pass with an event before and an event after it, while it was traced.
struct TracedPass {
  double begin_us = 0,
         end_us = 0;     ///< on the tracer's clock: before the first call, after the last
  double event_us = 0;   ///< between the two events, as the runtime says
  TraceRecords records;  ///< of the calls that began in it, in the order of their starts

  /// When the device passed the two events: the first and the last that were recorded. Needs both.
  double first_event_us() const;
  double last_event_us() const;
  /// From the start of the first operation to the end of the last. Needs an operation.
  double first_start_us() const;
  double last_end_us() const;
};

/// One variant's traced passes.
struct VariantTrace {
  std::string variant;
  std::vector<TracedPass> passes;

  /// The pass whose event time is the median one: that is shown. Needs a pass.
  const TracedPass& shown() const;
};

/// Gives each of `passes`, whose begin and end are known, those of `records` whose call began in
/// it; an operation belongs to the pass of the call that issued it.
void distribute(TraceRecords records, std::span<TracedPass> passes);

}  // namespace trilane
