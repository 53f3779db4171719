#include "common/harness/tracing.hpp"

#include <fmt/format.h>

#include <optional>
#include <stdexcept>
#include <utility>

#include "common/flavour/tracer.hpp"
#include "common/gpu/handles.hpp"
#include "common/gpu/operation.hpp"
#include "common/harness/sequence.hpp"
#include "common/results/statistics.hpp"
#include "common/trace/summary.hpp"

namespace trilane {

namespace {

constexpr int warm_passes = 3;
constexpr std::size_t traced_passes = 5;

/// All passes in one go: what the tracer hands over in between, and makes ready anew, would hold up
/// the pass after it by 0.2 ms.
VariantTrace trace_of(CudaBench& bench, std::size_t variant, const std::string& name,
                      Tracer& tracer) {
  const DeviceBuffer word = make_device_buffer(sizeof(std::uint32_t));
  Operation marker(Operation::Clear{word.get(), sizeof(std::uint32_t)},
                   {.chunk = Label::marker, .lane = Label::none});
  const auto run = [&](TracedPass& pass, std::optional<std::size_t> which) {
    pass.begin_us = tracer.now_us();
    pass.event_us = bench.pass_between_markers(marker, which);
    pass.end_us = tracer.now_us();
  };
  for (int i = 0; i < warm_passes; ++i) bench.pass(variant);
  std::vector<TracedPass> passes(2 * traced_passes);  // the second half without the variant
  for (std::size_t i = 0; i < passes.size(); ++i) {
    run(passes[i], i < traced_passes ? std::optional(variant) : std::nullopt);
  }
  distribute(tracer.take(), passes);
  const auto alone = passes.begin() + traced_passes;
  std::vector<double> markers_us;
  for (auto pass = alone; pass != passes.end(); ++pass) {
    if (pass->markers.size() != 2) throw std::runtime_error("its trace lacks markers");
    markers_us.push_back(pass->between_markers_us() - pass->event_us);
  }
  return {name, {passes.begin(), alone}, quantile(std::move(markers_us), 0.5)};
}

}  // namespace

ComparisonTrace trace_variants(CudaBench& bench, Comparison& comparison,
                               const HarnessListener& listener,
                               std::vector<std::string>& complaints) {
  ComparisonTrace traces{.workload = comparison.workload.label(), .variants = {}};
  // Graphs are seen node by node only if they are made while a tracer lives.
  const auto tracer = start_tracing();
  for (std::size_t v = 0; v < comparison.measurements.size(); ++v) {
    Measurement& m = comparison.measurements[v];
    if (m.status != Status::ok || !m.wall || listener.interrupted()) continue;
    try {
      VariantTrace trace;
      bench.set_up(v);
      then_tear_down(bench, v, [&] { trace = trace_of(bench, v, m.variant, *tracer); });
      m.timeline = timeline_of(trace, m.plan);
      traces.variants.push_back(std::move(trace));
    } catch (const std::exception& error) {
      complaints.push_back(
          fmt::format("{} on {} has no timeline: {}", m.variant, traces.workload, error.what()));
      if (bench.lost()) break;
    }
    tracer->take();  // what came after the passes
  }
  return traces;
}

}  // namespace trilane
