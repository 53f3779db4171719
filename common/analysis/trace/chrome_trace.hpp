// The trace file: Chrome's trace format, which Perfetto and chrome://tracing open.
#pragma once

#include <string>
#include <vector>

#include "common/analysis/trace/traced_pass.hpp"
#include "common/results/results.hpp"

namespace trilane {

/// What is traced of one comparison.
struct ComparisonTrace {
  std::size_t comparison = 0;  ///< its place in the results
  std::string workload;        ///< its label
  std::vector<VariantTrace> variants;
};

/// One process per workload and variant, with the pass that is shown from its begin on, so that all
/// stand on one time axis; one thread per track; a flow from each call to what it issued. Times are
/// microseconds, to the nanosecond.
std::string chrome_trace(const std::vector<ComparisonTrace>& comparisons, const Context& context);

}  // namespace trilane
