// Traces of every variant: the trace matches the plan, and each operation has its place.
#include "common/base/text/exit_code.hpp"
#include "common/device/flavour/tracer.hpp"
#include "common/explain/analysis/trace/trace_summary.hpp"
#include "common/measure/gpu/runtime/device.hpp"
#include "common/measure/harness/compare_variants.hpp"
#include "common/measure/harness/tracing.hpp"
#include "tests/variants/shapes.hpp"

namespace {

/// Returns one of each kind: several lanes, a short last chunk, depth, a reduction.
std::vector<Workload> traced_shapes() {
  return {shape("lanes", 7 * 1000 + 5, 1000, 1000, 3, 2), shape("reduction", 5 * 4096, 4096, 1, 2),
          shape("breadth first", 7 * 2048 + 12, 2048, 2048, 3, 2, Order::breadth_first),
          shape("one lane", 6 * 1024, 1024, 1024, 1, 2)};
}

/// Returns all registered variants, as if they had been measured.
Comparison measured(const Workload& workload) {
  Comparison comparison;
  comparison.workload = workload;
  for (const VariantEntry& entry : registry()) {
    Measurement m;
    m.variant = entry.name;
    m.plan = entry.plan(workload);
    m.status =
        m.plan.needs_pools && !open_device(0).memory_pools ? Status::not_supported : Status::ok;
    m.wall = Summary{};
    comparison.measurements.push_back(std::move(m));
  }
  return comparison;
}

TraceListener collecting(std::vector<std::string>& complaints) {
  return {.complain = [&](const std::string& text) { complaints.push_back(text); }};
}

struct Traced {
  explicit Traced(const Workload& workload) : comparison(measured(workload)) {
    CudaBench bench(workload, registry(), 1);
    const TraceListener listener = collecting(complaints);
    const UntracedTimes untraced = untraced_times(bench, comparison, listener);
    traces = trace_variants(bench, comparison, untraced, listener);
  }

  Comparison comparison;
  ComparisonTrace traces;
  std::vector<std::string> complaints;
};

/// Returns true if CUPTI is available; on a machine that should trace, the first test fails
/// instead.
boost::test_tools::assertion_result can_trace(boost::unit_test::test_unit_id) {
  try {
    start_tracing();
    return true;
  } catch (const NotPossible& reason) {
    boost::test_tools::assertion_result no(false);
    no.message() << reason.what();
    return no;
  }
}

void test_labels(const TracedPass& pass, const Workload& workload) {
  std::map<std::uint32_t, int> by_chunk;
  for (const TracedOperation& operation : pass.records.operations) {
    BOOST_TEST(operation.end_us >= operation.start_us);
    if (operation.label == Label{}) continue;
    ++by_chunk[operation.label.chunk];
    BOOST_TEST(operation.label.chunk < workload.chunks());
    BOOST_TEST(operation.label.lane == operation.label.chunk % workload.used_lanes());
  }
  if (by_chunk.empty()) return;  // one operation for all chunks
  BOOST_TEST(by_chunk.size() == workload.chunks());
  for (const auto& [chunk, count] : by_chunk) {
    BOOST_TEST_CONTEXT("chunk " << chunk) BOOST_TEST(count == by_chunk.begin()->second);
  }
}

}  // namespace

BOOST_AUTO_TEST_SUITE(trace, *boost::unit_test::precondition(can_trace))

BOOST_AUTO_TEST_CASE(every_variant_does_on_the_device_what_its_plan_says_and_nothing_else) {
  for (const Workload& workload : traced_shapes()) {
    const Traced traced(workload);
    for (const std::string& complaint : traced.complaints) BOOST_ERROR(complaint);
    for (const Measurement& m : traced.comparison.measurements) {
      BOOST_TEST_CONTEXT(m.variant << ", " << workload.name) {
        if (m.status != Status::ok) continue;
        BOOST_TEST_REQUIRE(m.timeline.has_value());
        BOOST_TEST(
            (m.timeline->operations == planned_operations(m.plan, traced.comparison.workload)));
        BOOST_TEST_REQUIRE(m.timeline->untraced_us.has_value());
        BOOST_TEST(m.timeline->untraced_us->size() == m.timeline->event_us.size());
      }
    }
  }
}

BOOST_AUTO_TEST_CASE(every_chunk_s_operations_are_known_to_be_its_own) {
  for (const Workload& workload : traced_shapes()) {
    for (const VariantTrace& trace : Traced(workload).traces.variants) {
      BOOST_TEST_CONTEXT(trace.variant << ", " << workload.name) {
        for (const TracedPass& pass : trace.passes) test_labels(pass, workload);
      }
    }
  }
}

BOOST_AUTO_TEST_CASE(what_issues_an_operation_is_a_call_of_the_same_pass) {
  for (const VariantTrace& trace : Traced(traced_shapes().front()).traces.variants) {
    BOOST_TEST_CONTEXT(trace.variant) {
      for (const TracedPass& pass : trace.passes) {
        std::set<std::uint64_t> calls;
        for (const TracedCall& call : pass.records.calls) calls.insert(call.id);
        for (const TracedOperation& operation : pass.records.operations) {
          BOOST_TEST(calls.contains(operation.call));
        }
        BOOST_TEST_REQUIRE(pass.markers.size() == 2u);
        BOOST_TEST(pass.markers.front().end_us <= pass.first_start_us());
        BOOST_TEST(pass.markers.back().start_us >= pass.last_end_us());
        // The wait for the pass, without the measuring after it.
        BOOST_TEST(pass.records.calls.back().name == "cudaStreamSynchronize");
        BOOST_TEST(pass.records.calls.back().end_us >= pass.last_end_us());
      }
    }
  }
}

BOOST_AUTO_TEST_CASE(a_variant_that_does_more_than_its_plan_says_has_no_timeline) {
  const Workload workload = traced_shapes().front();
  Comparison comparison = measured(workload);
  for (Measurement& m : comparison.measurements) m.status = Status::not_run;
  Measurement& m = comparison.measurements[1];
  m.status = Status::ok;
  CudaBench bench(workload, registry(), 1);
  comparison.workload = shape("another", 1000, 1000, 1000, 1);
  std::vector<std::string> complaints;
  const TraceListener listener = collecting(complaints);
  const UntracedTimes untraced = untraced_times(bench, comparison, listener);
  BOOST_TEST(complaints.empty());
  const ComparisonTrace traces = trace_variants(bench, comparison, untraced, listener);
  BOOST_TEST(!m.timeline);
  BOOST_TEST(traces.variants.empty());
  BOOST_TEST_REQUIRE(complaints.size() == 1u);
  BOOST_TEST_CONTEXT(complaints[0])
  BOOST_TEST(complaints[0].find("its plan is") != std::string::npos);
}

BOOST_AUTO_TEST_SUITE_END()
