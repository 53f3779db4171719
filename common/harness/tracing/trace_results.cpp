#include <fmt/format.h>

#include <algorithm>
#include <exception>
#include <optional>
#include <utility>

#include "common/device/tracer.hpp"
#include "common/gpu/runtime/check.hpp"
#include "common/harness/bench/cuda_bench.hpp"
#include "common/harness/contenders.hpp"
#include "common/harness/tracing/tracing.hpp"
#include "common/text/exit_code.hpp"

namespace trilane {

namespace {

/// Calls `body` with the index of each measured comparison and a bench for it. Passes errors to
/// complain() and goes on until the device is lost.
class EachComparison {
 public:
  EachComparison(Results& results, const ComparisonSettings& settings,
                 const TraceListener& listener)
      : results_(results), settings_(settings), listener_(listener) {}

  template <typename Body>
  void operator()(const Body& body) {
    for (std::size_t i = 0; i < results_.comparisons.size(); ++i) {
      Comparison& comparison = results_.comparisons[i];
      if (is_lost() || listener_.interrupted()) break;
      if (std::ranges::none_of(comparison.measurements, to_be_traced)) continue;
      std::vector<std::string> complaints;
      try {
        CudaBench bench(comparison.workload, contenders(settings_), settings_.seed, buffers(),
                        Reference::alphabet_size);
        bench.new_input();
        body(i, bench, HarnessListener{.interrupted = listener_.interrupted}, complaints);
      } catch (const std::exception& error) {
        complaints.push_back(
            fmt::format("{} is not traced: {}", comparison.workload.label(), error.what()));
      }
      for (const std::string& complaint : complaints) listener_.complain(complaint);
    }
  }

 private:
  /// Pinned once, for the largest workload: copy rates differ between buffers.
  HostBuffers& buffers() {
    if (buffers_) return *buffers_;
    BufferSizes sizes;
    for (const Comparison& comparison : results_.comparisons) sizes.fit(comparison.workload);
    return buffers_.emplace(sizes, results_.comparisons.front().workload.host_memory);
  }

  Results& results_;
  const ComparisonSettings& settings_;
  const TraceListener& listener_;
  std::optional<HostBuffers> buffers_;
};

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
  EachComparison each(results, settings, listener);
  // All untraced passes come first: a process that has traced once may stay slower.
  each([&](std::size_t i, CudaBench& bench, const HarnessListener& hears, auto& complaints) {
    untraced[i] = untraced_times(bench, results.comparisons[i], hears, complaints);
  });
  each([&](std::size_t i, CudaBench& bench, const HarnessListener& hears, auto& complaints) {
    if (untraced[i].empty()) return;
    ComparisonTrace trace =
        trace_variants(bench, results.comparisons[i], untraced[i], hears, complaints);
    trace.comparison = i;
    if (!trace.variants.empty()) traces.push_back(std::move(trace));
    listener.done(results.comparisons[i]);
  });
  return traces;
}

}  // namespace trilane
