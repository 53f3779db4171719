#include "common/harness/tracing.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <span>
#include <stdexcept>
#include <utility>

#include "common/flavour/tracer.hpp"
#include "common/gpu/check.hpp"
#include "common/gpu/handles.hpp"
#include "common/gpu/operation.hpp"
#include "common/harness/contenders.hpp"
#include "common/harness/sequence.hpp"
#include "common/results/statistics.hpp"
#include "common/trace/summary.hpp"

namespace trilane {

namespace {

constexpr int warm_passes = 3;
constexpr std::size_t traced_passes = 5;

/// A memset of so many bytes is no part of any pass.
Operation marker(const DeviceBuffer& buffer, std::uint64_t bytes) {
  return Operation(Operation::Clear{buffer.get(), bytes},
                   {.chunk = Label::marker, .lane = Label::none});
}

/// So long that the host has issued an event behind it before it ends: 17 us at 3,850 GB/s.
constexpr std::uint64_t long_marker_bytes = std::uint64_t{64} << 20;

/// What events and markers are apart where no pass is between them.
double events_more_us(std::span<const TracedPass> alone) {
  std::vector<double> more;
  for (const TracedPass& pass : alone) {
    if (pass.markers.size() != 2) throw std::runtime_error("its trace lacks markers");
    more.push_back(pass.event_us + pass.behind_us - pass.between_markers_us());
  }
  return quantile(std::move(more), 0.5);
}

/// All passes in one go: what the tracer hands over in between, and makes ready anew, would hold up
/// the pass after it by 0.2 ms.
VariantTrace trace_of(CudaBench& bench, std::size_t variant, const std::string& name,
                      Tracer& tracer, const DeviceBuffer& buffer) {
  Operation first = marker(buffer, sizeof(std::uint32_t));
  Operation last = marker(buffer, long_marker_bytes);
  for (int i = 0; i < warm_passes; ++i) bench.pass(variant);
  std::vector<TracedPass> passes(2 * traced_passes);  // the second half without the variant
  for (std::size_t i = 0; i < passes.size(); ++i) {
    const auto which = i < traced_passes ? std::optional(variant) : std::nullopt;
    passes[i].begin_us = tracer.now_us();
    const CudaBench::EventTimes times = bench.pass_between_markers(first, which, last);
    passes[i].end_us = tracer.now_us();
    passes[i].event_us = times.pass_us;
    passes[i].behind_us = times.marker_us;
  }
  distribute(tracer.take(), passes);
  const auto alone = passes.begin() + traced_passes;
  return {name, {passes.begin(), alone}, events_more_us({alone, passes.end()})};
}

}  // namespace

ComparisonTrace trace_variants(CudaBench& bench, Comparison& comparison,
                               const HarnessListener& listener,
                               std::vector<std::string>& complaints) {
  ComparisonTrace traces{.comparison = 0, .workload = comparison.workload.label(), .variants = {}};
  // Graphs are seen node by node only if they are made while a tracer lives.
  const auto tracer = start_tracing();
  // Outlives what a variant that fails half-way leaves queued behind a marker.
  const DeviceBuffer buffer = make_device_buffer(long_marker_bytes);
  for (std::size_t v = 0; v < comparison.measurements.size(); ++v) {
    Measurement& m = comparison.measurements[v];
    if (m.status != Status::ok || !m.wall || listener.interrupted()) continue;
    try {
      VariantTrace trace;
      bench.set_up(v);
      then_tear_down(bench, v, [&] { trace = trace_of(bench, v, m.variant, *tracer, buffer); });
      m.timeline = timeline_of(trace, m.plan);
      traces.variants.push_back(std::move(trace));
      tracer->take();  // what came after the passes
    } catch (const std::exception& error) {
      complaints.push_back(
          fmt::format("{} on {} has no timeline: {}", m.variant, traces.workload, error.what()));
      if (bench.lost()) break;
    }
  }
  return traces;
}

std::vector<ComparisonTrace> trace_results(Results& results, const Options& options,
                                           const TraceListener& listener) {
  const auto measured = [](const Measurement& m) { return m.status == Status::ok && m.wall; };
  std::vector<ComparisonTrace> traces;
  for (std::size_t i = 0; i < results.comparisons.size(); ++i) {
    Comparison& comparison = results.comparisons[i];
    if (is_lost() || listener.interrupted()) break;
    if (std::ranges::none_of(comparison.measurements, measured)) continue;
    std::vector<std::string> complaints;
    try {
      CudaBench bench(comparison.workload, contenders(options), options.seed);
      ComparisonTrace trace =
          trace_variants(bench, comparison, {.interrupted = listener.interrupted}, complaints);
      trace.comparison = i;
      if (!trace.variants.empty()) traces.push_back(std::move(trace));
      listener.done(comparison);
    } catch (const std::exception& error) {
      complaints.push_back(
          fmt::format("{} is not traced: {}", comparison.workload.label(), error.what()));
    }
    for (const std::string& complaint : complaints) listener.complain(complaint);
  }
  return traces;
}

}  // namespace trilane
