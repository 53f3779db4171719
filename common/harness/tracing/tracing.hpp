// Traced passes: of the variants of a comparison, and of all comparisons of a run.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "common/analysis/trace/chrome_trace.hpp"
#include "common/harness/bench/cuda_bench.hpp"
#include "common/harness/comparison_settings.hpp"
#include "common/harness/rounds/harness.hpp"
#include "common/results/results.hpp"

namespace trilane {

/// Whether a variant is traced: those that were measured.
bool to_be_traced(const Measurement& measurement);

/// By variant, microseconds between the two events of a few passes; empty where it did not run.
using UntracedTimes = std::vector<std::vector<double>>;

/// Runs, for every variant to be traced, the passes that trace_variants() is compared with:
/// the same ones between the same events, untraced. A variant that throws is left out and named
/// in `complaints`.
UntracedTimes untraced_times(CudaBench& bench, const Comparison& comparison,
                             const HarnessListener& listener, std::vector<std::string>& complaints);

/// Traces every variant that has untraced times: sets it up, warms it, runs some passes with events
/// around them, and tears it down. Fills `timeline` of each, and returns the passes. Nothing that
/// is measured may come after it, because traced calls take longer.
///
/// Throws NotPossible where nothing can be traced. A variant whose trace is not whole, or that
/// throws, is left without one and named in `complaints`.
ComparisonTrace trace_variants(CudaBench& bench, Comparison& comparison,
                               const UntracedTimes& untraced, const HarnessListener& listener,
                               std::vector<std::string>& complaints);

struct TraceListener {
  std::function<void(const Comparison&)> done;  ///< after each comparison that was traced
  std::function<void(const std::string&)> complain;
  std::function<bool()> interrupted;
};

/// Traces all comparisons with something measured, see tracing.hpp, on buffers of their own. What
/// goes wrong is told to `complain`, and the rest goes on, until the device is lost or the user
/// interrupts.
std::vector<ComparisonTrace> trace_results(Results& results, const ComparisonSettings& settings,
                                           const TraceListener& listener);

}  // namespace trilane
