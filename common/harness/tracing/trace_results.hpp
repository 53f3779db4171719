// Traced passes of all comparisons of a run.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "common/analysis/trace/chrome_trace.hpp"
#include "common/harness/comparison_settings.hpp"
#include "common/results/results.hpp"

namespace trilane {

struct TraceListener {
  std::function<void(const Comparison&)> done;  ///< after each comparison that was traced
  std::function<void(const std::string&)> complain;
  std::function<bool()> interrupted;
};

/// Traces all comparisons that were measured, see tracing.hpp, on buffers of their own. Passes
/// errors to `complain` and goes on until the device is lost or the user interrupts.
std::vector<ComparisonTrace> trace_results(Results& results, const ComparisonSettings& settings,
                                           const TraceListener& listener);

}  // namespace trilane
