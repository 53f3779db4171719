// Writes the trace file: Chrome's trace format, which Perfetto and chrome://tracing open, and lays
// out its rows. Nothing overlaps within a row.
#pragma once

#include "common/explain/analysis/trace/traced_pass.hpp"
#include "common/model/results/results.hpp"

namespace trilane {

/// One row: calls or operations that do not overlap. One of the lists is empty.
struct Track {
  std::string name;
  std::vector<const TracedCall*> calls;
  std::vector<const TracedOperation*> operations;
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
  std::vector<VariantTrace> variants;
};

/// Returns one process per workload and variant with its shown pass, starting at time 0 so that all
/// share one time axis. Each has one thread per track, and a flow from each call to what it issued.
/// Times are microseconds, to the nanosecond.
std::string chrome_trace(const std::vector<ComparisonTrace>& comparisons, const Context& context);

}  // namespace trilane
