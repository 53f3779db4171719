// Writes the trace file: Chrome's trace format, which Perfetto and chrome://tracing open.
#pragma once

#include <string>
#include <vector>

#include "common/explain/analysis/trace/traced_pass.hpp"
#include "common/model/results/results.hpp"

namespace trilane {

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
