#include "common/measure/harness/tracing.hpp"

#include "common/base/text/exit_code.hpp"
#include "common/explain/analysis/trace/trace_summary.hpp"
#include "common/explain/statistics/statistics.hpp"
#include "common/measure/gpu/operation.hpp"
#include "common/measure/gpu/runtime/handles.hpp"
#include "common/measure/harness/pricing.hpp"

namespace trilane {
namespace {

/// Returns true if the measurement has times.
bool to_be_traced(const Measurement& m) { return m.status == Status::ok && m.wall; }

constexpr std::size_t traced_passes = 5;

/// Long enough for the host to issue an event behind it before it ends: 17 us at 3,850 GB/s.
constexpr std::uint64_t long_marker_bytes = std::uint64_t{64} << 20;

/// Returns the time between events and markers without a pass.
double events_more_us(std::span<const TracedPass> alone) {
  std::vector<double> more;
  for (const TracedPass& pass : alone) {
    if (pass.markers.size() != 2) throw std::runtime_error("its trace lacks markers");
    more.push_back(pass.event_us + pass.behind_us - pass.between_markers_us());
  }
  return median(more);
}

/// Runs passes between events, with a marker before the first event and behind the second.
class MarkedPasses {
 public:
  explicit MarkedPasses(CudaBench& bench) : bench_(bench) {}

  /// Runs a pass between the markers; without a variant, none.
  CudaBench::EventTimes run(std::optional<std::size_t> variant) {
    return bench_.pass_between_markers(first_, variant, last_);
  }

  void warm(std::size_t variant) {
    for (int i = 0; i < warm_passes; ++i) bench_.pass(variant);
  }

 private:
  static constexpr int warm_passes = 3;

  CudaBench& bench_;
  DeviceBuffer buffer_ = make_device_buffer(long_marker_bytes);
  Operation first_{Operation::Clear{buffer_.get(), sizeof(std::uint32_t)}, marker_label};
  Operation last_{Operation::Clear{buffer_.get(), long_marker_bytes}, marker_label};
};

/// Returns the event times of untraced passes.
std::vector<double> untraced_us(MarkedPasses& marked, std::size_t variant) {
  marked.warm(variant);
  std::vector<double> times;
  for (std::size_t i = 0; i < traced_passes; ++i) times.push_back(marked.run(variant).pass_us);
  return times;
}

/// Runs all passes before it fetches their records, which would delay the next pass by 0.2 ms.
VariantTrace trace_of(MarkedPasses& marked, std::size_t variant, const std::string& name,
                      Tracer& tracer) {
  marked.warm(variant);
  std::vector<TracedPass> passes(2 * traced_passes);  // the second half without the variant
  for (std::size_t i = 0; i < passes.size(); ++i) {
    const auto which = i < traced_passes ? std::optional(variant) : std::nullopt;
    passes[i].begin_us = tracer.now_us();
    const CudaBench::EventTimes times = marked.run(which);
    passes[i].end_us = tracer.now_us();
    passes[i].event_us = times.pass_us;
    passes[i].behind_us = times.marker_us;
  }
  distribute(tracer.take(), passes);
  const auto alone = passes.begin() + traced_passes;
  return {name, {passes.begin(), alone}, events_more_us({alone, passes.end()})};
}

/// Sets up each chosen variant in turn, runs `body`, tears down and calls `after`. Reports a
/// variant that throws; stops after a sticky error.
template <typename Chosen, typename Body, typename After>
void each_variant(CudaBench& bench, const Comparison& comparison, const TraceListener& listener,
                  const Chosen& chosen, const Body& body, const After& after) {
  for (std::size_t v = 0; v < comparison.measurements.size(); ++v) {
    if (!chosen(v) || listener.interrupted()) continue;
    try {
      bench.set_up(v);
      then_tear_down(bench, v, [&] { body(v); });
      after(v);
    } catch (const std::exception& error) {
      listener.complain(fmt::format("{} on {} has no timeline: {}",
                                    comparison.measurements[v].variant, comparison.workload.label(),
                                    error.what()));
      if (bench.lost()) break;
    }
  }
}

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
      CudaBench bench(comparison.workload, contenders(settings), settings.seed, buffers);
      bench.new_input();
      body(i, bench);
    } catch (const std::exception& error) {
      listener.complain(
          fmt::format("{} is not traced: {}", comparison.workload.label(), error.what()));
    }
  }
}

}  // namespace

UntracedTimes untraced_times(CudaBench& bench, const Comparison& comparison,
                             const TraceListener& listener) {
  UntracedTimes times(comparison.measurements.size());
  std::vector<double> us;
  MarkedPasses marked(bench);
  each_variant(
      bench, comparison, listener,
      [&](std::size_t v) { return to_be_traced(comparison.measurements[v]); },
      [&](std::size_t v) { us = untraced_us(marked, v); },
      [&](std::size_t v) { times[v] = std::move(us); });
  return times;
}

ComparisonTrace trace_variants(CudaBench& bench, Comparison& comparison,
                               const UntracedTimes& untraced, const TraceListener& listener) {
  ComparisonTrace traces{.comparison = 0, .workload = comparison.workload.label()};
  // Graphs are traced node by node only if they are created while a tracer lives.
  const auto tracer = start_tracing();
  VariantTrace trace;
  MarkedPasses marked(bench);
  each_variant(
      bench, comparison, listener, [&](std::size_t v) { return !untraced[v].empty(); },
      [&](std::size_t v) {
        tracer->take();  // drops the records since the previous variant's passes
        trace = trace_of(marked, v, comparison.measurements[v].variant, *tracer);
      },
      [&](std::size_t v) {
        trace.untraced_us = untraced[v];
        Measurement& m = comparison.measurements[v];
        m.timeline = timeline_of(trace, planned_operations(m.plan, comparison.workload));
        traces.variants.push_back(std::move(trace));
      });
  return traces;
}

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
