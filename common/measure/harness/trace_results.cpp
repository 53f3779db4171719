#include <fmt/format.h>

#include <algorithm>
#include <exception>
#include <memory>
#include <utility>

#include "common/base/text/exit_code.hpp"
#include "common/device/flavour/tracer.hpp"
#include "common/measure/gpu/runtime/check.hpp"
#include "common/measure/harness/bench/cuda_bench.hpp"
#include "common/measure/harness/contenders.hpp"
#include "common/measure/harness/tracing.hpp"

namespace trilane {

namespace {

/// Pins buffers once, for the largest workload, because copy rates differ between buffers.
std::shared_ptr<HostBuffers> buffers_for(const std::vector<Comparison>& comparisons) {
  BufferSizes sizes;
  for (const Comparison& comparison : comparisons) sizes.fit(comparison.workload);
  return std::make_shared<HostBuffers>(sizes, comparisons.front().workload.host_memory);
}

/// Calls `body` with the index of each measured comparison and a bench for it. Passes errors to
/// complain() and continues until the device is lost. Allocates `buffers` when they are first
/// needed.
template <typename Body>
void each_comparison(const std::vector<Comparison>& comparisons, const ComparisonSettings& settings,
                     const TraceListener& listener, std::shared_ptr<HostBuffers>& buffers,
                     const Body& body) {
  for (std::size_t i = 0; i < comparisons.size(); ++i) {
    const Comparison& comparison = comparisons[i];
    if (is_lost() || listener.interrupted()) break;
    if (std::ranges::none_of(comparison.measurements, to_be_traced)) continue;
    try {
      if (!buffers) buffers = buffers_for(comparisons);
      CudaBench bench(comparison.workload, contenders(settings), settings.seed, buffers,
                      Reference::alphabet_size);
      bench.new_input();
      body(i, bench);
    } catch (const std::exception& error) {
      listener.complain(
          fmt::format("{} is not traced: {}", comparison.workload.label(), error.what()));
    }
  }
}

}  // namespace

std::vector<ComparisonTrace> trace_results(Results& results, const ComparisonSettings& settings,
                                           const TraceListener& listener) {
  std::vector<ComparisonTrace> traces;
  try {
    ensure_tracing();
  } catch (const NotPossible& reason) {
    listener.complain(reason.what());
    return traces;
  }
  std::vector<UntracedTimes> untraced(results.comparisons.size());
  std::shared_ptr<HostBuffers> buffers;
  const auto each = [&](const auto& body) {
    each_comparison(results.comparisons, settings, listener, buffers, body);
  };
  // All untraced passes come first: a process that has traced once may stay slower.
  each([&](std::size_t i, CudaBench& bench) {
    untraced[i] = untraced_times(bench, results.comparisons[i], listener);
  });
  each([&](std::size_t i, CudaBench& bench) {
    if (untraced[i].empty()) return;
    listener.started(results.comparisons[i].workload);
    ComparisonTrace trace = trace_variants(bench, results.comparisons[i], untraced[i], listener);
    trace.comparison = i;
    if (!trace.variants.empty()) traces.push_back(std::move(trace));
  });
  return traces;
}

}  // namespace trilane
