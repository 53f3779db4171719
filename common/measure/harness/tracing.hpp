// Traced passes of the variants of a comparison, and of all comparisons of a run.
#pragma once

#include "common/explain/analysis/trace/traced_pass.hpp"
#include "common/measure/harness/comparison_settings.hpp"
#include "common/measure/harness/cuda_bench.hpp"

namespace trilane {

struct TraceListener {
  std::function<void(const Workload&)> started = [](const Workload&) {};
  std::function<void(const std::string&)> complain{};
  std::function<bool()> interrupted = [] { return false; };
};

/// By variant: microseconds between the two events of a few passes; empty if it did not run.
using UntracedTimes = std::vector<std::vector<double>>;

/// Runs, for every variant to be traced, the same passes between the same events as
/// trace_variants(), untraced. Leaves out a variant that throws, and reports it.
UntracedTimes untraced_times(CudaBench& bench, const Comparison& comparison,
                             const TraceListener& listener);

/// Traces every variant that has untraced times: sets it up, warms it, runs some passes between
/// events, and tears it down. Fills the `timeline` of each, and returns the passes. Measure nothing
/// afterwards, because traced calls take longer.
///
/// Throws NotPossible if nothing can be traced. Leaves out a variant that throws or whose trace is
/// incomplete, and reports it.
ComparisonTrace trace_variants(CudaBench& bench, Comparison& comparison,
                               const UntracedTimes& untraced, const TraceListener& listener);

/// Traces all measured comparisons, on buffers of their own. Passes errors to `complain` and
/// continues until the device is lost or the user interrupts.
std::vector<ComparisonTrace> trace_results(Results& results, const ComparisonSettings& settings,
                                           const TraceListener& listener);

}  // namespace trilane
