// Traced passes of the variants of a comparison.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "common/harness/cuda_bench.hpp"
#include "common/harness/harness.hpp"
#include "common/options/options.hpp"
#include "common/trace/chrome_trace.hpp"

namespace trilane {

/// Traces every ok variant of a comparison that was measured: sets it up, warms it, runs some
/// passes with events around them, and tears it down. Fills `timeline` of each, and returns the
/// passes. Nothing that is measured may come after it, for traced calls take longer.
///
/// Throws NotPossible where nothing can be traced. A variant whose trace is not whole, or that
/// throws, is left without one and named in `complaints`.
ComparisonTrace trace_variants(CudaBench& bench, Comparison& comparison,
                               const HarnessListener& listener,
                               std::vector<std::string>& complaints);

struct TraceListener {
  std::function<void(const Comparison&)> done;  ///< after each comparison that was traced
  std::function<void(const std::string&)> complain;
  std::function<bool()> interrupted;
};

/// The same for all comparisons with something measured, on buffers of their own. What goes wrong
/// is told to `complain`, and the rest goes on, until the device is lost or the user interrupts.
std::vector<ComparisonTrace> trace_results(Results& results, const Options& options,
                                           const TraceListener& listener);

}  // namespace trilane
