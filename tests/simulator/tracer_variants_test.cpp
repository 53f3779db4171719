// What a trace of one pass holds, for every variant on every preset and awkward shape.
#include <algorithm>
#include <boost/test/unit_test.hpp>
#include <functional>
#include <map>
#include <optional>
#include <set>

#include "common/flavour/flavour.hpp"
#include "common/flavour/tracer.hpp"
#include "common/variant.hpp"
#include "tests/gpu/shapes.hpp"
#include "tests/simulator/rules.hpp"

using namespace trilane;

namespace {

using Counts = std::map<std::string, std::uint64_t>;

/// A variant on a device that was started over, under a tracer or without one.
struct Setting {
  Setting(const VariantEntry& entry, const Workload& workload, bool traced)
      : in((start_simulation({}), make_pinned_buffer(workload.bytes))),
        out(make_pinned_buffer(workload.result_total())),
        job(workload, in.get(), out.get()),
        tracer(traced ? start_tracing() : nullptr),
        variant(entry.make(job)) {}

  /// Between two events, until the host has waited. Returns what the events say.
  float pass() {
    const TimedOnly timed_only;
    check(cudaEventRecord(first.get(), origin.get()));
    variant->submit(origin.get());
    check(cudaEventRecord(last.get(), origin.get()));
    check(cudaStreamSynchronize(origin.get()));
    float ms = 0;
    check(cudaEventElapsedTime(&ms, first.get(), last.get()));
    return ms;
  }

  PinnedBuffer in, out;
  Job job;
  std::unique_ptr<Tracer> tracer;
  Stream origin = make_stream();
  Event first = make_timing_event(), last = make_timing_event();
  std::unique_ptr<Variant> variant;
};

void for_all(const std::function<void(const VariantEntry&, const Workload&)>& body) {
  BOOST_TEST_REQUIRE(registry().size() >= 17u);
  std::vector<Workload> workloads = presets();
  std::ranges::copy(awkward_shapes(), std::back_inserter(workloads));
  for (const VariantEntry& entry : registry()) {
    for (const Workload& workload : workloads) {
      BOOST_TEST_CONTEXT(entry.name << ", " << workload.name) { body(entry, workload); }
    }
  }
}

/// The records of the second pass: in the first one a variant may do what only the first does.
void for_all_passes(
    const std::function<void(const VariantEntry&, const Job&, float, const TraceRecords&)>& body) {
  for_all([&](const VariantEntry& entry, const Workload& workload) {
    Setting setting(entry, workload, true);
    setting.pass();
    setting.tracer->take();
    const float ms = setting.pass();
    body(entry, setting.job, ms, setting.tracer->take());
  });
}

/// "copy in", "memset", "transform" of "transform_reduce".
std::string stage_of(const TracedOperation& operation) {
  return operation.name.substr(0, operation.name.find('_'));
}

struct Stages {
  Counts of_chunk, of_pass;
};

Stages stages_of(const std::string& variant, std::uint32_t depth) {
  if (variant == "fused") return {{}, {{"fused", 1}}};
  if (variant == "graph_fused") return {{{"fused", 1}}, {}};
  if (variant == "graph_coalesced") {
    return {{{"transform", depth}}, {{"copy in", 1}, {"memset", 1}, {"copy out", 1}}};
  }
  if (variant.ends_with("_kernels")) {
    return {{{"copy", 2}, {"clear", 1}, {"transform", depth}}, {}};
  }
  return {{{"copy in", 1}, {"memset", 1}, {"transform", depth}, {"copy out", 1}}, {}};
}

/// Copies, memsets and kernels by the plan: nodes of its graph, or calls.
Counts planned(const Plan& plan) {
  Counts counts;
  for (const auto& [name, value] : plan.nodes.empty() ? plan.calls : plan.nodes) {
    if (name == "memcpy nodes" || name == "cudaMemcpyAsync") counts["copies"] = value;
    if (name == "memset nodes" || name == "cudaMemsetAsync") counts["memsets"] = value;
    if (name == "kernel nodes" || name == "cudaLaunchKernel") counts["kernels"] = value;
  }
  std::erase_if(counts, [](const auto& count) { return count.second == 0; });
  return counts;
}

Counts counted(const std::vector<TracedOperation>& operations) {
  Counts counts;
  for (const TracedOperation& operation : operations) {
    switch (operation.activity) {
      case Activity::copy_in:
      case Activity::copy_out: ++counts["copies"]; break;
      case Activity::memset: ++counts["memsets"]; break;
      case Activity::kernel: ++counts["kernels"]; break;
    }
  }
  return counts;
}

/// No two of those with the same key run at once; those without one may.
template <typename Key>
bool take_turns(std::vector<TracedOperation> operations, Key key_of) {
  std::ranges::sort(operations, {}, &TracedOperation::start_us);
  std::map<std::uint64_t, double> ends;
  for (const TracedOperation& operation : operations) {
    const std::optional<std::uint64_t> key = key_of(operation);
    if (!key) continue;
    double& end = ends.try_emplace(*key, operation.start_us).first->second;
    if (operation.start_us < end) return false;
    end = operation.end_us;
  }
  return true;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(tracer_variants)

BOOST_AUTO_TEST_CASE(operations_and_calls_are_those_of_the_plan) {
  for_all_passes([](const VariantEntry& entry, const Job& job, float, const TraceRecords& records) {
    const Plan plan = entry.plan(job.workload);
    BOOST_TEST((counted(records.operations) == planned(plan)));
    Counts wanted{
        {"cudaEventRecord", 2}, {"cudaStreamSynchronize", 1}, {"cudaEventElapsedTime", 1}};
    for (const auto& [name, value] : plan.calls) wanted[name] += value;
    Counts calls;
    for (const TracedCall& call : records.calls) ++calls[call.name];
    BOOST_TEST((calls == wanted));
    BOOST_TEST(records.lost == 0u);
  });
}

BOOST_AUTO_TEST_CASE(every_chunk_has_each_of_its_stages_once_and_on_its_lane) {
  for_all_passes([](const VariantEntry& entry, const Job& job, float, const TraceRecords& records) {
    std::map<std::uint32_t, Counts> seen;
    for (const TracedOperation& operation : records.operations) {
      const auto [chunk, lane] = operation.label;
      ++seen[chunk][stage_of(operation)];
      BOOST_TEST(lane == (chunk == Label::none ? Label::none : job.workload.chunk(chunk).lane));
    }
    const auto [of_chunk, of_pass] = stages_of(entry.name, job.workload.depth);
    BOOST_TEST((seen[Label::none] == of_pass));
    for (std::uint32_t chunk = 0; chunk < job.workload.chunks(); ++chunk) {
      BOOST_TEST((seen[chunk] == of_chunk), "chunk " << chunk);
    }
    BOOST_TEST(seen.size() == job.workload.chunks() + 1);
  });
}

BOOST_AUTO_TEST_CASE(nothing_overlaps_on_a_copy_engine_or_in_a_stream) {
  using Key = std::optional<std::uint64_t>;
  for_all_passes([](const VariantEntry&, const Job&, float, const TraceRecords& records) {
    BOOST_TEST(take_turns(records.operations, [](const TracedOperation& one) -> Key {
      if (!one.copy_engine) return std::nullopt;
      return static_cast<std::uint64_t>(one.activity);
    }));
    BOOST_TEST(take_turns(records.operations, [](const TracedOperation& one) -> Key {
      if (one.graph_node != 0) return std::nullopt;
      return one.stream;
    }));
  });
}

BOOST_AUTO_TEST_CASE(operations_run_between_their_call_and_the_end_of_the_wait) {
  for_all_passes([](const VariantEntry&, const Job&, float, const TraceRecords& records) {
    std::map<std::uint64_t, double> calls;
    double waited_us = 0;
    for (const TracedCall& call : records.calls) {
      BOOST_TEST(call.start_us <= call.end_us);
      BOOST_TEST(calls.emplace(call.id, call.start_us).second, "a call's number comes twice");
      if (call.name == "cudaStreamSynchronize") waited_us = call.end_us;
    }
    for (const TracedOperation& operation : records.operations) {
      BOOST_TEST(calls.contains(operation.call));
      BOOST_TEST(calls[operation.call] <= operation.start_us);
      BOOST_TEST(operation.start_us < operation.end_us);
      BOOST_TEST(operation.end_us <= waited_us);
    }
  });
}

BOOST_AUTO_TEST_CASE(an_executable_s_nodes_run_once_each) {
  for_all_passes([](const VariantEntry& entry, const Job& job, float, const TraceRecords& records) {
    std::set<std::uint64_t> nodes;
    for (const TracedOperation& operation : records.operations) nodes.insert(operation.graph_node);
    const bool is_graph = !entry.plan(job.workload).nodes.empty();
    BOOST_TEST(nodes.contains(0) == !is_graph);
    BOOST_TEST(nodes.size() == (is_graph ? records.operations.size() : 1));
  });
}

BOOST_AUTO_TEST_CASE(the_time_between_events_is_that_between_their_records) {
  for_all_passes([](const VariantEntry&, const Job&, float ms, const TraceRecords& records) {
    BOOST_TEST_REQUIRE(records.events.size() >= 2u);
    const auto first = records.events.front(), last = records.events.back();
    BOOST_TEST(ms == static_cast<float>((last.passed_us - first.passed_us) / 1000));
    for (const TracedOperation& operation : records.operations) {
      BOOST_TEST(first.passed_us <= operation.start_us);
      BOOST_TEST(operation.end_us <= last.passed_us);
    }
  });
}

BOOST_AUTO_TEST_CASE(a_trace_changes_no_time) {
  for_all([](const VariantEntry& entry, const Workload& workload) {
    const auto times = [&](bool traced) {
      Setting setting(entry, workload, traced);
      std::vector<double> all{now_us()};
      for (int pass = 0; pass < 3; ++pass) {
        all.push_back(setting.pass());
        if (traced) setting.tracer->take();
        all.push_back(now_us());
      }
      return all;
    };
    BOOST_TEST(times(true) == times(false), boost::test_tools::per_element());
  });
}

BOOST_AUTO_TEST_CASE(calls_of_the_lanes_of_threads_come_from_as_many_host_threads) {
  for_all_passes([](const VariantEntry& entry, const Job& job, float, const TraceRecords& records) {
    std::set<std::uint64_t> threads;
    for (const TracedCall& call : records.calls) threads.insert(call.thread);
    const std::uint32_t made = entry.plan(job.workload).host_threads;
    BOOST_TEST(threads.size() == made + 1);
  });
}

BOOST_AUTO_TEST_SUITE_END()
